// What the seats are called: by the names of their players, where they were given any, else by their numbers. It must not
// know where a name is shown.

import { html } from "./html.js";

/** A seat's number on its colour. */
export const badge = (seat) => html`<span class="badge badge-small" aria-hidden="true" data-seat-of=${seat}>${seat}</span>`;

/** A person's colour, which never says anything alone. */
export const dot = (colour) => html`<span class="dot" aria-hidden="true" style=${{ background: colour }}></span>`;

/** Names of the players at the table of `store`, in `words`. */
export const makeNames = ({ store, words }) => {
  /** The name of who sits there; "" for none. */
  const of = (seat) => (store.get("names") ?? [])[seat - 1] ?? "";
  /** A seat for a sentence: "Ada (seat 1)", or "Seat 1". */
  const seat = (number) => {
    const name = of(number);
    return name === "" ? words.say("page seat", { seat: number }) : words.say("page seat-of", { seat: number, name });
  };
  /** The name of who sits there, else the seat. */
  const player = (number) => of(number) || words.say("page seat", { seat: number });
  /** The member who sits there, as `{id, name, colour, in_public}`; null for nobody known. */
  const person = (number) => store.get("people")?.seats[number - 1] ?? null;
  return { of, seat, player, person };
};
