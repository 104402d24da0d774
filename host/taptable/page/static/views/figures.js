// What each player did, as a table: a row for each figure, a column for each player. It must not know which figures a
// game has.

import { el } from "../elements.js";

const US_PER_MS = 1000;
const US_PER_S = 1e6;
const TITLE = { time: "page figure-seconds", press: "page figure-ms" };

const none = (words) => [
  el("span", { "aria-hidden": "true" }, "–"),
  el("span", { class: "unseen" }, words.say("page figure-none")),
];

/** What stands in a cell, for a value of each kind of figure. */
const CELLS = {
  count: (words, value) => [value === 0 ? el("span", { class: "figure-zero" }, "0") : String(value)],
  time: (words, value) => [words.number(value / US_PER_S, 0)],
  press: (words, [afterUs, uncertaintyUs]) => {
    const ms = words.number(uncertaintyUs / US_PER_MS, 1);
    return [
      words.number(afterUs / US_PER_MS, 0),
      el("span", { class: "figure-spread", "aria-hidden": "true" }, `±${ms}`),
      el("span", { class: "unseen" }, `, ${words.say("page figure-spread", { ms })}`),
    ];
  },
};

const rowOf = (words, { key, kind, name, values }) =>
  el(
    "tr",
    { data: { figure: key } },
    el("th", { scope: "row" }, kind in TITLE ? words.say(TITLE[kind], { name }) : name),
    ...values.map((value) => el("td", {}, ...(value === null ? none(words) : CELLS[kind](words, value)))),
  );

/** The table of `figures`, as the table tells them, for the players of `teams`. */
export const drawFigures = (words, teams, figures) =>
  el(
    "table",
    { class: "figures-table" },
    el("caption", { class: "unseen" }, words.say("page figures")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        ...figures[0].values.map((_, at) =>
          el(
            "th",
            { scope: "col" },
            el("span", { class: "badge badge-small", "aria-hidden": "true" }, String(at + 1)),
            el("span", { class: "unseen" }, teams.seat(at + 1)),
            teams.of(at + 1) === ""
              ? null
              : el("span", { class: "figure-player", "aria-hidden": "true" }, teams.of(at + 1)),
          ),
        ),
      ),
    ),
    el("tbody", {}, ...figures.map((figure) => rowOf(words, figure))),
  );
