// One game that was played: its result, how it went, what each player did, its file, and the way to play it step by
// step. It must not know the game's rules, nor how it is asked for.

import { el } from "../elements.js";
import { decisiveNote } from "../rows.js";
import { sign } from "../signs.js";
import { makeTabs } from "../tabs.js";
import { makeCourse } from "./course.js";
import { drawFigures } from "./figures.js";
import { makeReplay } from "./replay.js";
import { beginning, lengthOf, makeTeams } from "./told.js";

/**
 * One game of `page`: `{element, show(game, {tab, step, focus}), here, close, onRefresh(listener)}`; the focus goes to
 * the `"title"`, the `"step"`, or nowhere (null).
 */
export const makeGame = (page) => {
  const { words, access } = page;
  const title = el("h3", { class: "game-title", tabindex: "-1", data: { gameTitle: "" } });
  const facts = el("p", { class: "game-facts" });
  const trouble = el("p", { class: "games-trouble", data: { trouble: "" } });
  const refresh = el("button", {
    class: "tool",
    type: "button",
    "data-word": "page game-refresh",
    data: { do: "refresh" },
  });
  const file = el("a", { class: "tool", "data-word": "page game-export", data: { do: "export" } });
  const tabList = el("div", { class: "tab-list", role: "tablist", "data-word-label": "page game-tabs" });
  const panels = el("div", { class: "game-panels" });
  const tabs = makeTabs(tabList, panels, words);
  const result = el("ol", { class: "game-result", data: { result: "" } });
  const ended = el("p", { class: "game-ended" });
  const course = makeCourse(words);
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
    course.element,
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
  let onRefresh = () => {};

  const unit = () => words.say(`unit ${shown.teams[0].unit}`);

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
          decisiveNote(words, team),
        ),
      ),
    );
    so.textContent = words.say(shown.running ? "page game-so-far" : "page game-result");
    ended.textContent = shown.end ?? (shown.running ? "" : words.say("page game-unfinished"));
  };

  const drawHead = () => {
    const more = [
      beginning(words, shown.begun_utc),
      words.say("page game-players", { number: shown.players }),
      words.has(`page edition-${shown.edition}`) ? words.say(`page edition-${shown.edition}`) : "",
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
        course.show(game, teams);
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
