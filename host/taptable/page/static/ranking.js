// The places of a game that is over: who, with how much. It must not know what a place went by.

import { html } from "./html.js";
import { badge } from "./names.js";
import { decisiveNote } from "./rows.js";
import { sign } from "./signs.js";

/** The `teams` that have a place, the first one first. */
export const drawRanking = (words, names, teams) => {
  const player = (seat) => html`
    <span class="ranking-player">
      ${badge(seat)}<span class=${names.of(seat) === "" ? "unseen" : null}>${names.player(seat)}</span>
    </span>
  `;
  const row = (team) => html`
    <li class="cluster digits" data-place=${team.place}>
      ${sign("laurel", "sign laurel")}
      <span class="ranking-place">${words.say("page place", { place: team.place })}</span>
      <span class="ranking-players">${team.seats.map(player)}</span>
      ${decisiveNote(words, team)}
      <span class="ranking-score">${team.score} ${words.say(`unit ${team.unit}`)}</span>
    </li>
  `;
  const placed = teams.filter((team) => team.place !== null).sort((one, other) => one.place - other.place);
  return html`<ol class="ranking">${placed.map(row)}</ol>`;
};
