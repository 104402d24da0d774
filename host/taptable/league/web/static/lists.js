// Draws members by name, initial or as *a member*, in their colour, and lists of games with the reason why one doesn't
// count. It must not know how the data was fetched.

import { html, icon } from "/static/html.js";
import { gameFacts } from "/static/names.js";

/** Returns a member's name as used in a sentence. */
export const memberName = (words, member) =>
  member === null ? words.say("league guest") : member.name || words.say("league a-member");

/** Draws a member, with a link to their page if they show a name. */
export const drawMember = (words, member) => {
  const dot = html`<span class="person-dot" aria-hidden="true" style=${member?.colour ? { background: member.colour } : null}></span>`;
  const name = memberName(words, member);
  return member?.name
    ? html`<a class="person" href=${`#members/${member.id}`} data-member=${member.id}>${dot}<span class="anywhere">${name}</span></a>`
    : html`<span class="person soft">${dot}<span>${name}</span></span>`;
};

/** Draws the members of a team. */
export const drawMembers = (words, members) => html`<span class="people">${members.map((each) => drawMember(words, each))}</span>`;

/** Returns the teams of a finished game as `{place, score, seats}`, the best first. */
const teamsOf = (game) => {
  const teams = new Map();
  game.seats.forEach((seat) => {
    const entry = teams.get(seat.team) ?? { place: seat.place, score: seat.score, seats: [] };
    entry.seats.push(seat);
    teams.set(seat.team, entry);
  });
  return [...teams.values()].sort((one, other) => one.place - other.place);
};

/**
 * Formats a time (`utcS`: seconds since 1970) in the browser's time zone: date and time, or with `short` the date
 * alone.
 */
export const formatTime = (words, utcS, short = false) =>
  new Intl.DateTimeFormat(words.language(), short ? { dateStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(utcS * 1000),
  );

/** Formats a rating; a dash without one. */
export const formatRating = (words, entry) =>
  entry === null || entry === undefined ? "–" : words.number(entry.rating, 1);

/** Returns why a game doesn't count, as a catalogue key; "" if it counts or still may. */
export const notCountedReason = (game) => {
  if (game.proof !== "proved") {
    return game.proof;
  }
  return game.annulled ? "annulled" : game.status === "left-off" ? "left-off" : "";
};

/** Draws a short mark for a game that doesn't count; null for others. */
export const drawMark = ({ say }, game) =>
  notCountedReason(game) === "" ? null : html`<span class="beside gap-xs games-trouble" data-mark=${notCountedReason(game)}>${icon("ask")}${say(`league ${notCountedReason(game)}`)}</span>`;

const drawTeam = (words, unit, team) => html`
  <span class="beside apart gap-s line-team" data-place=${team.place}>
    ${drawMembers(words, team.seats.map(({ member }) => member))}
    <span class="beside gap-xs digits">${team.place === 1 && icon("laurel", "icon laurel")}<strong>${team.score}</strong> ${words.say(`unit ${unit}`)}</span>
  </span>
`;

/** Draws a list of games, each with a link to its page. */
export const drawGames = ({ words }, games) => html`
  <ul class="tiles games-list" data-games>
    ${games.map(
      (game) => html`
        <li key=${game.id} class="box stack gap-xs games-item" data-game=${game.id} data-running=${game.status === "running" && notCountedReason(game) === ""}>
          <a class="cluster baseline apart games-title" href=${`#games/${game.id}`}>
            <strong>${words.say(`game ${game.game}`)}</strong>
            <span class="soft small">${formatTime(words, game.begun)}</span>
          </a>
          ${teamsOf(game).map((one) => drawTeam(words, game.unit, one))}
          <span class="soft small anywhere">${[game.table_name, ...gameFacts(words, game, { short: true })].join(" · ")}</span>
          ${game.status === "running" && notCountedReason(game) === "" && html`<span class="soft small">${words.say("page game-running")}</span>`}
          ${drawMark(words, game)}
        </li>
      `,
    )}
  </ul>
`;
