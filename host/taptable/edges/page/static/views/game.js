// One game that was played: its result, how scores and places went, what each player did, its file, and the way to play
// it step by step. It must not know the game's rules, nor how it is asked for.

import { el } from "../elements.js";
import { makePlot, sample } from "../plot.js";
import { sign } from "../signs.js";
import { makeTabs } from "../tabs.js";
import { drawFigures } from "./figures.js";
import { makeReplay } from "./replay.js";
import { beginning, clock, lengthOf, makeTeams } from "./told.js";

const SCORE = 1;
const PLACE = 2;

/** The values of a team in the plot, one for each time at which they changed; `which` is `SCORE` or `PLACE`. */
const pointsOf = (standings, team, which) => {
  const points = standings.map((standing) => [standing[0], standing[which][team]]);
  return points.filter(([, value], at) => at === 0 || value !== points[at - 1][1]);
};

/**
 * One game of `page`: `{element, show(game, {tab, step, focus}), here, close, onRefresh(listener)}`; the focus goes to
 * the `"title"`, the `"step"`, or nowhere (null).
 */
export const makeGame = (page) => {
  const { words, access } = page;
  const title = el("h3", { class: "game-title", tabindex: "-1", data: { gameTitle: "" } });
  const facts = el("p", { class: "game-facts" });
  const trouble = el("p", { class: "games-trouble", data: { trouble: "" } });
  const refresh = el("button", { class: "tool", type: "button", "data-word": "page game-refresh", data: { do: "refresh" } });
  const file = el("a", { class: "tool", "data-word": "page game-export", data: { do: "export" } });
  const tabList = el("div", { class: "tab-list", role: "tablist", "data-word-label": "page game-tabs" });
  const panels = el("div", { class: "game-panels" });
  const tabs = makeTabs(tabList, panels, words);
  const result = el("ol", { class: "game-result", data: { result: "" } });
  const ended = el("p", { class: "game-ended" });
  const plot = makePlot();
  const legend = el("ul", { class: "game-legend" });
  const choice = el("div", { class: "game-choice", role: "group", "data-word-label": "page plot-of" });
  const events = el("ol", { class: "game-events", data: { events: "" } });
  const table = el("div", { class: "game-table" });
  const figures = el("div", {
    class: "game-figures",
    role: "group",
    tabindex: "0",
    "data-word-label": "page figures",
    data: { figures: "" },
  });
  const so = el("h4", { class: "game-heading" });
  const how = el(
    "div",
    { class: "game-how" },
    el("section", {}, so, result, ended),
    el("section", { class: "game-course" }, choice, plot.element, legend, table, events),
    el("section", {}, el("h4", { class: "game-heading", "data-word": "page figures" }), figures),
    el("div", { class: "game-tools" }, file),
  );
  const replay = makeReplay(page);
  tabs.add("how", "page game-how", how);
  tabs.add("replay", "page game-replay", replay.element);
  const body = el("div", { class: "game-body" }, tabList, panels);
  const element = el(
    "article",
    { class: "game", data: { game: "" } },
    el("div", { class: "game-head" }, title, facts, trouble, el("div", { class: "game-tools" }, refresh)),
    body,
  );
  let shown = null;
  let teams = null;
  let which = SCORE;
  let onRefresh = () => {};

  const unit = () => words.say(`unit ${shown.teams[0].unit}`);
  const caption = (kind) => words.say(kind === SCORE ? "page plot-score" : "page plot-place", { unit: unit() });

  const drawResult = () => {
    const order = [...shown.teams].sort((one, other) => one.place - other.place);
    result.replaceChildren(
      ...order.map((team) =>
        el(
          "li",
          { data: { place: String(team.place) } },
          el(
            "span",
            { class: "result-place" },
            team.place === 1 ? sign("laurel", "sign laurel") : null,
            words.say("page place", { place: team.place }),
          ),
          el(
            "span",
            { class: "result-who" },
            ...team.seats.map((seat) =>
              el(
                "span",
                { class: "result-player" },
                el("span", { class: "badge badge-small", "aria-hidden": "true" }, String(seat)),
                el("span", { class: "result-name" }, teams.player(seat)),
              ),
            ),
          ),
          team.score === undefined ? null : el("span", { class: "result-score" }, `${team.score} ${unit()}`),
        ),
      ),
    );
    so.textContent = words.say(shown.running ? "page game-so-far" : "page game-result");
    ended.textContent = shown.end ?? (shown.running ? "" : words.say("page game-unfinished"));
  };

  const drawChoice = () => {
    choice.replaceChildren(
      ...[SCORE, PLACE].map((kind) => {
        const button = el(
          "button",
          { class: "tool", type: "button", "aria-pressed": String(which === kind), data: { plot: kind === SCORE ? "score" : "place" } },
          caption(kind),
        );
        button.addEventListener("click", () => {
          which = kind;
          drawCourse();
          choice.querySelector('[aria-pressed="true"]').focus();
        });
        return button;
      }),
    );
  };

  const drawTable = () => {
    const cells = (standing) =>
      shown.teams.map((_, team) =>
        el("td", {}, which === SCORE ? String(standing[SCORE][team]) : String(standing[PLACE][team])),
      );
    const changed = shown.standings.filter(
      (standing, at) => at === 0 || String(standing[which]) !== String(shown.standings[at - 1][which]),
    );
    const open = table.querySelector("details")?.open ?? false;
    table.replaceChildren(
      el(
        "details",
        { open },
        el("summary", {}, words.say("page plot-table")),
        el(
          "table",
          { class: "plot-table", data: { plotTable: "" } },
          el("caption", { class: "unseen" }, caption(which)),
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th", { scope: "col" }, words.say("page plot-minutes")),
              ...shown.teams.map((team) => el("th", { scope: "col" }, teams.name(team.seats))),
            ),
          ),
          el("tbody", {}, ...changed.map((standing) => el("tr", {}, el("th", { scope: "row" }, clock(standing[0])), ...cells(standing)))),
        ),
      ),
    );
  };

  const drawCourse = () => {
    const last = shown.standings[shown.standings.length - 1];
    const values = shown.teams.map((team, at) =>
      which === SCORE
        ? `${teams.name(team.seats)} ${last[SCORE][at]} ${unit()}`
        : `${teams.name(team.seats)}: ${words.say("page place", { place: last[PLACE][at] })}`,
    );
    drawChoice();
    plot.show({
      label: `${caption(which)}: ${values.join(", ")}`,
      xTitle: words.say("page plot-minutes"),
      series: shown.teams.map((team, at) => ({
        label: which === SCORE ? `${teams.short(team.seats)}: ${last[SCORE][at]}` : teams.short(team.seats),
        points: pointsOf(shown.standings, at, which),
      })),
      endUs: shown.played_us,
      events: shown.milestones.map((milestone) => milestone.at_us),
      places: which === PLACE ? shown.teams.length : null,
      number: (value) => words.number(value, [0, 1].find((digits) => Number.isInteger(value * 10 ** digits)) ?? 2),
    });
    legend.replaceChildren(
      ...shown.teams.map((team, at) => el("li", {}, sample(at), el("strong", {}, teams.short(team.seats)), el("span", {}, teams.name(team.seats)))),
    );
    drawTable();
    events.replaceChildren(
      ...shown.milestones.map(({ at_us: atUs, step, text }) =>
        el(
          "li",
          {},
          el(
            "a",
            { class: "game-event", href: `#games/${shown.id}/replay/${step}` },
            el("span", { class: "event-time" }, clock(atUs)),
            el("span", {}, text),
          ),
        ),
      ),
    );
    events.hidden = shown.milestones.length === 0;
  };

  const drawHead = () => {
    const more = [
      beginning(words, shown.begun_utc),
      words.say("page game-players", { number: shown.players }),
      words.say(`page edition-${shown.edition}`),
      lengthOf(words, shown.played_us ?? shown.length_us),
      shown.running ? words.say("page game-running") : "",
    ];
    title.textContent = words.say("page game-number", { id: shown.id });
    facts.replaceChildren(...more.filter((fact) => fact !== "").map((fact) => el("span", {}, fact)));
    trouble.hidden = shown.trouble === null;
    trouble.textContent = shown.trouble ?? "";
    refresh.hidden = !shown.running;
    file.setAttribute("href", `/games/game-${shown.id}.json?language=${words.language()}`);
    file.setAttribute("download", `game-${shown.id}.json`);
  };

  file.addEventListener("click", async (event) => {
    if (!access.paired()) {
      event.preventDefault();
      if (await access.need()) {
        file.click();
      }
    }
  });
  const here = () => ({ id: String(shown.id), tab: tabs.shown(), step: replay.step(), focus: null });
  refresh.addEventListener("click", () => onRefresh(here()));

  /** What the address says of what is shown, so that it can be sent to somebody. */
  const name = () => {
    if (shown !== null && page.views.shown() === "games") {
      const at = tabs.shown() === "replay" ? `/replay/${replay.step()}` : "";
      history.replaceState(null, "", `#games/${shown.id}${at}`);
    }
  };
  tabs.onShow((tab) => {
    if (shown !== null && tab === "replay") {
      replay.begin();
    } else {
      replay.stop();
    }
    name();
  });
  replay.onStep(name);

  return {
    element,
    onRefresh: (listener) => {
      onRefresh = listener;
    },
    show: (game, { tab, step, focus }) => {
      shown = game;
      teams = makeTeams(words, game.names);
      drawHead();
      const told = game.steps > 0;
      [so.parentElement, tabList].forEach((part) => {
        part.hidden = !told && game.teams.length === 0;
      });
      if (game.teams.length > 0) {
        drawResult();
      }
      how.querySelectorAll("section:not(:first-child)").forEach((section) => {
        section.hidden = !told;
      });
      tabs.offer("replay", told);
      if (told) {
        drawCourse();
        figures.replaceChildren(drawFigures(words, teams, game.figures));
        replay.open(game, step);
      }
      tabs.show(told && tab === "replay" ? "replay" : "how");
      if (focus === "title") {
        title.focus({ preventScroll: true });
        scrollTo(0, 0);
        element.closest("[data-views]").scrollTo(0, 0);
      } else if (focus === "step" && told) {
        tabList.scrollIntoView({ block: "start" });
        replay.focus();
      }
    },
    /** What is shown now, as `show` takes it; null if nothing is. */
    here: () => (shown === null ? null : here()),
    close: () => {
      shown = null;
      replay.stop();
    },
  };
};

