// How members are named: by their name, its first letter, or as a member, and in their colour; a guest is nobody. It must
// not know where.

import { html } from "/static/html.js";

/** What a member is called in a sentence. */
export const called = (words, member) =>
  member === null ? words.say("league guest") : member.name || words.say("league a-member");

/** A member, with a way to their page if they show anything. */
export const person = (words, member) => {
  const dot = html`<span class="person-dot" aria-hidden="true" style=${member?.colour ? { background: member.colour } : null}></span>`;
  const name = called(words, member);
  return member?.name
    ? html`<a class="person" href=${`#members/${member.id}`} data-member=${member.id}>${dot}<span class="anywhere">${name}</span></a>`
    : html`<span class="person soft">${dot}<span>${name}</span></span>`;
};

/** Who played at the seats of a game's team. */
export const people = (words, members) => html`<span class="people">${members.map((each) => person(words, each))}</span>`;

/** The teams of a game that ended, the best first: `{place, score, seats}`. */
export const teamsOf = (game) => {
  const teams = new Map();
  game.seats.forEach((seat) => {
    const team = teams.get(seat.team) ?? { place: seat.place, score: seat.score, seats: [] };
    team.seats.push(seat);
    teams.set(seat.team, team);
  });
  return [...teams.values()].sort((one, other) => one.place - other.place);
};

/** A day by the clock of who looks, with the time of day unless it is `short`. */
export const when = (words, utcS, short = false) =>
  new Intl.DateTimeFormat(words.language(), short ? { dateStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(utcS * 1000),
  );

/** A rating as it is shown. */
export const rating = (words, told) => (told === null || told === undefined ? "–" : words.number(told.rating, 1));
