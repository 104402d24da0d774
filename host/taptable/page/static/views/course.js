// How scores and places went in a game: a plot with its legend, the same as a table, and what else happened, each a way
// to its step. It must not know the game's rules.

import { el } from "../elements.js";
import { makePlot, sample } from "../plot.js";
import { clock } from "./told.js";

const SCORE = 1;
const PLACE = 2;

/** The values of a team in the plot, one for each time at which they changed; `which` is `SCORE` or `PLACE`. */
const pointsOf = (standings, team, which) => {
  const points = standings.map((standing) => [standing[0], standing[which][team]]);
  return points.filter(([, value], at) => at === 0 || value !== points[at - 1][1]);
};

/** The course of a game in `words`: `{element, show(game, teams)}`. */
export const makeCourse = (words) => {
  const plot = makePlot();
  const legend = el("ul", { class: "game-legend" });
  const choice = el("div", { class: "game-choice", role: "group", "data-word-label": "page plot-of" });
  const events = el("ol", { class: "game-events", data: { events: "" } });
  const table = el("div", { class: "game-table" });
  const element = el("section", { class: "game-course" }, choice, plot.element, legend, table, events);
  let shown = null;
  let teams = null;
  let which = SCORE;

  const unit = () => words.say(`unit ${shown.teams[0].unit}`);
  const caption = (kind) => words.say(kind === SCORE ? "page plot-score" : "page plot-place", { unit: unit() });

  const drawChoice = () => {
    choice.replaceChildren(
      ...[SCORE, PLACE].map((kind) => {
        const button = el(
          "button",
          {
            class: "tool",
            type: "button",
            "aria-pressed": String(which === kind),
            data: { plot: kind === SCORE ? "score" : "place" },
          },
          caption(kind),
        );
        button.addEventListener("click", () => {
          which = kind;
          draw();
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
          el(
            "tbody",
            {},
            ...changed.map((standing) =>
              el("tr", {}, el("th", { scope: "row" }, clock(standing[0])), ...cells(standing)),
            ),
          ),
        ),
      ),
    );
  };

  const draw = () => {
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
      ...shown.teams.map((team, at) =>
        el("li", {}, sample(at), el("strong", {}, teams.short(team.seats)), el("span", {}, teams.name(team.seats))),
      ),
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

  return {
    element,
    show: (game, called) => {
      shown = game;
      teams = called;
      draw();
    },
  };
};
