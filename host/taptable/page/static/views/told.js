// What is told of a game in a few words: who played, when it began, how long it took, the time in it. It must not know
// where that is shown.

import { makeNames } from "../names.js";

const US_PER_S = 1e6;
const S_PER_MIN = 60;

/** When a game began, by the clock of who looks; "" if that isn't known. */
export const beginning = (words, begunUtc) => {
  const begun = new Date(begunUtc ?? "");
  return Number.isNaN(begun.getTime())
    ? ""
    : new Intl.DateTimeFormat(words.language(), { dateStyle: "medium", timeStyle: "short" }).format(begun);
};

/** How long a game took, in whole minutes. */
const lengthOf = (words, us) =>
  words.say("page game-minutes", { minutes: Math.max(1, Math.round(us / US_PER_S / S_PER_MIN)) });

/** How many played, by which edition, how long; and around that, unless it is `short`, when, and whether it goes on. */
export const factsOf = (words, told, { short = false } = {}) => {
  const lengthUs = told.played_us ?? told.length_us;
  const edition = `page edition-${told.edition}`;
  const facts = [
    told.players === undefined ? "" : words.say("page game-players", { number: told.players }),
    words.has(edition) ? words.say(edition) : "",
    lengthUs === undefined ? "" : lengthOf(words, lengthUs),
  ];
  const whole = short
    ? facts
    : [beginning(words, told.begun_utc), ...facts, told.running ? words.say("page game-running") : ""];
  return whole.filter((fact) => fact !== "");
};

/** A time in a game: `12:05`, or `1:02:05`. */
export const clock = (us) => {
  const whole = Math.floor(us / US_PER_S);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
};

/** What the teams of a game with players of these `names` are called. */
export const makeTeams = (words, names) => {
  const called = makeNames({ store: { get: () => names }, words });
  return {
    /** A team by its players: "Ada + Bo", "Seat 1". */
    name: (seats) => seats.map(called.player).join(" + "),
    /** The same as short as it can be: "1+3". */
    short: (seats) => seats.join("+"),
    /** A player: "Ada", "Seat 2". */
    player: called.player,
    of: called.of,
    seat: called.seat,
  };
};
