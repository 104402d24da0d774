// Games in a list, with what is to be known of those that don't count. It must not know how they were asked for.

import { html } from "/static/html.js";
import { sign } from "/static/signs.js";
import { factsOf } from "/static/views/told.js";
import { people, teamsOf, when } from "./people.js";

/** Why a game doesn't count, as a key of the words; "" if it does, or may still. */
export const markOf = (game) => {
  if (game.proof !== "proved") {
    return game.proof;
  }
  return game.annulled ? "annulled" : game.status === "left-off" ? "left-off" : "";
};

/** A mark of a game that doesn't count, short. */
export const mark = ({ say }, game) =>
  markOf(game) === "" ? null : html`<span class="beside gap-xs games-trouble" data-mark=${markOf(game)}>${sign("ask")}${say(`league ${markOf(game)}`)}</span>`;

const team = (words, unit, one) => html`
  <span class="beside apart gap-s line-team" data-place=${one.place}>
    ${people(words, one.seats.map(({ member }) => member))}
    <span class="beside gap-xs digits">${one.place === 1 && sign("laurel", "sign laurel")}<strong>${one.score}</strong> ${words.say(`unit ${unit}`)}</span>
  </span>
`;

/** A list of games, each a way to it. */
export const drawGames = ({ words }, games) => html`
  <ul class="tiles games-list" data-games>
    ${games.map(
      (game) => html`
        <li key=${game.id} class="box stack gap-xs games-item" data-game=${game.id} data-running=${game.status === "running" && markOf(game) === ""}>
          <a class="cluster baseline apart games-title" href=${`#games/${game.id}`}>
            <strong>${words.say(`game ${game.game}`)}</strong>
            <span class="soft small">${when(words, game.begun)}</span>
          </a>
          ${teamsOf(game).map((one) => team(words, game.unit, one))}
          <span class="soft small anywhere">${[game.table_name, ...factsOf(words, game, { short: true })].join(" · ")}</span>
          ${game.status === "running" && markOf(game) === "" && html`<span class="soft small">${words.say("page game-running")}</span>`}
          ${mark(words, game)}
        </li>
      `,
    )}
  </ul>
`;
