// Names of seats, players, teams and games, by the players' names if they have some, else by number; also when a game
// began and how long it took. It must not know where a name is shown.

import { html } from "./html.js";

/** Longest name as an input's `maxlength`: 24 characters, some of which count twice in UTF-16. */
export const MAX_NAME_LENGTH = 48;

/** A seat's number on its colour. */
export const badge = (seat) => html`<span class="badge badge-small" aria-hidden="true" data-seat-of=${seat}>${seat}</span>`;

/** A dot in a person's colour; never the only sign of anything. */
export const dot = (colour) => html`<span class="dot" aria-hidden="true" style=${{ background: colour }}></span>`;

/** Makes functions that name the players at the table of `store`. */
export const makeNames = ({ store, words }) => {
  /** Returns the name of the player at a seat; "" without one. */
  const nameAt = (seat) => (store.get("names") ?? [])[seat - 1] ?? "";
  /** Returns a seat for use in a sentence: "Ada (seat 1)" or "Seat 1". */
  const seat = (number) => {
    const name = nameAt(number);
    return name === "" ? words.say("page seat", { seat: number }) : words.say("page seat-of", { seat: number, name });
  };
  /** Returns the player's name, else the seat. */
  const player = (number) => nameAt(number) || words.say("page seat", { seat: number });
  /** Returns the member at a seat, as `{id, name, colour, in_public}`; null if no member sits there. */
  const person = (number) => store.get("people")?.seats[number - 1] ?? null;
  return { nameAt, seat, player, person };
};

const US_PER_S = 1e6;
const US_PER_MIN = 60e6;

/** Formats when a game began, in the browser's time zone; "" if that is unknown. */
export const formatStart = (words, startUtc) => {
  const start = new Date(startUtc ?? "");
  return Number.isNaN(start.getTime())
    ? ""
    : new Intl.DateTimeFormat(words.language(), { dateStyle: "medium", timeStyle: "short" }).format(start);
};

/**
 * Returns a game's number of players, edition and duration as texts; unless `short`, also when it began and whether it
 * is running.
 */
export const gameFacts = (words, game, { short = false } = {}) => {
  const lengthUs = game.played_us ?? game.length_us;
  const minutes = Math.max(1, Math.round(lengthUs / US_PER_MIN));
  const edition = `page edition-${game.edition}`;
  const facts = [
    game.players === undefined ? "" : words.say("page game-players", { number: game.players }),
    words.has(edition) ? words.say(edition) : "",
    lengthUs === undefined ? "" : words.say("page game-minutes", { minutes }),
  ];
  const allFacts = [formatStart(words, game.begun_utc), ...facts, game.running ? words.say("page game-running") : ""];
  return (short ? facts : allFacts).filter((fact) => fact !== "");
};

/** Formats a time within a game (µs): `12:05` or `1:02:05`. */
export const formatDuration = (us) => {
  const totalS = Math.floor(us / US_PER_S);
  const [hours, minutes, seconds] = [Math.floor(totalS / 3600), Math.floor(totalS / 60) % 60, totalS % 60];
  const twoDigits = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;
};

/** Makes functions that name the teams of a game whose players have these `names`. */
export const makeTeamNames = (words, names) => {
  const players = makeNames({ store: { get: () => names }, words });
  return {
    ...players,
    /** Names a team by its players: "Ada + Bo", "Seat 1". */
    name: (seats) => seats.map(players.player).join(" + "),
    /** Names a team by its seats: "1+3". */
    short: (seats) => seats.join("+"),
  };
};
