// How members are named, by their name, its first letter, or as a member, and in their colour; and games in a list,
// with what is to be known of those that don't count. It must not know how they were asked for.

import { html, icon } from "/static/html.js";
import { gameFacts } from "/static/names.js";

/** What a member is called in a sentence. */
export const memberName = (words, member) =>
  member === null ? words.say("league guest") : member.name || words.say("league a-member");

/** A member, with a way to their page if they show anything. */
export const drawMember = (words, member) => {
  const dot = html`<span class="person-dot" aria-hidden="true" style=${member?.colour ? { background: member.colour } : null}></span>`;
  const name = memberName(words, member);
  return member?.name
    ? html`<a class="person" href=${`#members/${member.id}`} data-member=${member.id}>${dot}<span class="anywhere">${name}</span></a>`
    : html`<span class="person soft">${dot}<span>${name}</span></span>`;
};

/** Who played at the seats of a game's team. */
export const drawMembers = (words, members) => html`<span class="people">${members.map((each) => drawMember(words, each))}</span>`;

/** The teams of a game that ended, the best first: `{place, score, seats}`. */
const teamsOf = (game) => {
  const teams = new Map();
  game.seats.forEach((seat) => {
    const entry = teams.get(seat.team) ?? { place: seat.place, score: seat.score, seats: [] };
    entry.seats.push(seat);
    teams.set(seat.team, entry);
  });
  return [...teams.values()].sort((one, other) => one.place - other.place);
};

/** A day by the clock of who looks, with the time of day unless it is `short`. */
export const formatTime = (words, utcS, short = false) =>
  new Intl.DateTimeFormat(words.language(), short ? { dateStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(utcS * 1000),
  );

/** A rating as it is shown. */
export const formatRating = (words, entry) => (entry === null || entry === undefined ? "–" : words.number(entry.rating, 1));

/** Why a game doesn't count, as a key of the words; "" if it does, or may still. */
export const notCountedReason = (game) => {
  if (game.proof !== "proved") {
    return game.proof;
  }
  return game.annulled ? "annulled" : game.status === "left-off" ? "left-off" : "";
};

/** A mark of a game that doesn't count, short. */
export const drawMark = ({ say }, game) =>
  notCountedReason(game) === "" ? null : html`<span class="beside gap-xs games-trouble" data-mark=${notCountedReason(game)}>${icon("ask")}${say(`league ${notCountedReason(game)}`)}</span>`;

const drawTeam = (words, unit, team) => html`
  <span class="beside apart gap-s line-team" data-place=${team.place}>
    ${drawMembers(words, team.seats.map(({ member }) => member))}
    <span class="beside gap-xs digits">${team.place === 1 && icon("laurel", "icon laurel")}<strong>${team.score}</strong> ${words.say(`unit ${unit}`)}</span>
  </span>
`;

/** A list of games, each a way to it. */
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
