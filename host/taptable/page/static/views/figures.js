// What each player did, as a table: a row for each figure, a column for each player. It must not know which figures a
// game has.

import { html } from "../html.js";
import { badge } from "../names.js";

const US_PER_MS = 1000;
const US_PER_S = 1e6;
const TITLE = { time: "page figure-seconds", press: "page figure-ms" };

/** What stands in a cell, for a value of each kind of figure. */
const CELLS = {
  count: (words, value) => (value === 0 ? html`<span class="soft">0</span>` : String(value)),
  gain: (_, value) => `+${value}`,
  time: (words, value) => words.number(value / US_PER_S, 0),
  press: (words, [afterUs, uncertaintyUs]) => {
    const ms = words.number(uncertaintyUs / US_PER_MS, 1);
    return html`
      ${words.number(afterUs / US_PER_MS, 0)}
      <span class="soft figure-spread" aria-hidden="true">±${ms}</span>
      <span class="unseen">, ${words.say("page figure-spread", { ms })}</span>
    `;
  },
};

/** The table of `figures`, as the table tells them, for the players of `teams`. */
export const drawFigures = (words, teams, figures) => {
  const none = html`<span aria-hidden="true">–</span><span class="unseen">${words.say("page figure-none")}</span>`;
  const row = ({ key, kind, name, values }) => html`
    <tr data-figure=${key}>
      <th scope="row">${kind in TITLE ? words.say(TITLE[kind], { name }) : name}</th>
      ${values.map((value) => html`<td>${value === null ? none : CELLS[kind](words, value)}</td>`)}
    </tr>
  `;
  const player = (_, at) => html`
    <th scope="col">
      ${badge(at + 1)}
      <span class="unseen">${teams.seat(at + 1)}</span>
      ${teams.of(at + 1) !== "" && html`<span class="figure-player" aria-hidden="true">${teams.of(at + 1)}</span>`}
    </th>
  `;
  return html`
    <table class="figures-table">
      <caption class="unseen">${words.say("page figures")}</caption>
      <thead><tr><td></td>${figures[0].values.map(player)}</tr></thead>
      <tbody>${figures.map(row)}</tbody>
    </table>
  `;
};
