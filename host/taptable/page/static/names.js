// What seats, players, teams and games are called: by the names of their players, where they were given any, else by
// their numbers; when a game began, and how long it took. It must not know where a name is shown.

import { html } from "./html.js";

/** How long a name may be: 24 characters, of which some count twice. */
export const MAX_NAME_LENGTH = 48;

/** A seat's number on its colour. */
export const badge = (seat) => html`<span class="badge badge-small" aria-hidden="true" data-seat-of=${seat}>${seat}</span>`;

/** A person's colour, which never says anything alone. */
export const dot = (colour) => html`<span class="dot" aria-hidden="true" style=${{ background: colour }}></span>`;

/** Names of the players at the table of `store`, in `words`. */
export const makeNames = ({ store, words }) => {
  /** The name of who sits there; "" for none. */
  const nameAt = (seat) => (store.get("names") ?? [])[seat - 1] ?? "";
  /** A seat for a sentence: "Ada (seat 1)", or "Seat 1". */
  const seat = (number) => {
    const name = nameAt(number);
    return name === "" ? words.say("page seat", { seat: number }) : words.say("page seat-of", { seat: number, name });
  };
  /** The name of who sits there, else the seat. */
  const player = (number) => nameAt(number) || words.say("page seat", { seat: number });
  /** The member who sits there, as `{id, name, colour, in_public}`; null for nobody known. */
  const person = (number) => store.get("people")?.seats[number - 1] ?? null;
  return { nameAt, seat, player, person };
};

const US_PER_S = 1e6;
const US_PER_MIN = 60e6;

/** When a game began, by the clock of who looks; "" if that isn't known. */
export const formatStart = (words, startUtc) => {
  const start = new Date(startUtc ?? "");
  return Number.isNaN(start.getTime())
    ? ""
    : new Intl.DateTimeFormat(words.language(), { dateStyle: "medium", timeStyle: "short" }).format(start);
};

/** How many played, by which edition, how long; and around that, unless it is `short`, when, and whether it goes on. */
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

/** A time in a game: `12:05`, or `1:02:05`. */
export const formatDuration = (us) => {
  const totalS = Math.floor(us / US_PER_S);
  const [hours, minutes, seconds] = [Math.floor(totalS / 3600), Math.floor(totalS / 60) % 60, totalS % 60];
  const twoDigits = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;
};

/** What the teams of a game with players of these `names` are called. */
export const makeTeamNames = (words, names) => {
  const players = makeNames({ store: { get: () => names }, words });
  return {
    ...players,
    /** A team by its players: "Ada + Bo", "Seat 1". */
    name: (seats) => seats.map(players.player).join(" + "),
    /** The same as short as it can be: "1+3". */
    short: (seats) => seats.join("+"),
  };
};
