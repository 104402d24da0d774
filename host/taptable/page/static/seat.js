// One seat of a place: its number and name, cards in hand, whose turn, what its button means, and room for the extension.
// It must not know where on the table the place is.

import { hold, html } from "./html.js";
import { dot } from "./names.js";
import { countText } from "./rows.js";
import { sign } from "./signs.js";

const chipOf = (seat, turn, window, place) => {
  if (place === 1) {
    return { key: "page place", facts: { place }, sign: "laurel", strong: true };
  }
  if (window?.claimant === seat.seat) {
    return { key: "page first", sign: "star", strong: true };
  }
  if (window?.pressed?.includes(seat.seat)) {
    return { key: "page pressed", sign: "bell", strong: true };
  }
  if (turn.checking?.seats?.includes(seat.seat)) {
    return { key: "page checked", sign: "ask", strong: true };
  }
  if (window?.answerer === seat.seat && seat.meaning !== null) {
    return { key: `meaning ${seat.meaning}`, sign: "bell", strong: true };
  }
  if (turn.seat === seat.seat && !turn.over) {
    return { key: "page on-turn", sign: "turn", strong: true };
  }
  if (!seat.used) {
    return { key: "page left", sign: "leave", strong: false };
  }
  if (seat.meaning === null && turn.skips?.includes(seat.seat)) {
    return { key: "page skips", sign: "skip", strong: false };
  }
  return seat.meaning === null ? null : { key: `meaning ${seat.meaning}`, sign: "bell", strong: false };
};

/** What a seat holds: as one number, or each kind of card that is told apart. */
const drawHand = (words, cards, holds) => {
  const said = holds
    .map((count) => (holds.length === 1 ? words.say("page hand", { number: count.have }) : countText(words, count)))
    .join(", ");
  const held = (count) => html`
    ${cards.back(count.name, "hand-card")}
    <span class="hand-number" aria-hidden="true" data-holds=${count.name}>${count.have}</span>
  `;
  return html`
    <p class="beside gap-xs semibold digits hand" title=${said}>
      ${holds.map(held)}<span class="unseen">${said}</span>
    </p>
  `;
};

/** A `seat` in one line; `turn` and `window` are as the parts of the table have them, `place` is the team's at the end. */
export const drawSeat = ({ words, names, slots, cards }, seat, { turn, window, place }) => {
  const number = seat.seat;
  const mine = slots.isMine(number);
  const you = mine ? words.say("page you") : words.say("page seat", { seat: number });
  const name = [names.of(number), ...(mine || names.of(number) === "" ? [you] : [])].filter(Boolean).join(" · ");
  const person = names.person(number);
  const chip = chipOf(seat, turn, window, place);
  const word = chip === null || !words.has(chip.key) ? "" : words.say(chip.key, chip.facts);
  return html`
    <section class="seat" key=${number} data-seat=${number} data-turn=${turn.seat === number && !turn.over}
      aria-label=${mine ? words.say("page seat-mine", { seat: number }) : names.seat(number)}
      data-mine=${mine ? "true" : null}>
      ${hold(slots.seat(number))}
      <span class="badge" aria-hidden="true" data-seat-of=${number}>${number}</span>
      <div class="seat-words">
        <h2 class="seat-name" title=${name}>${person !== null && html`${dot(person.colour)} `}${name}</h2>
        <p class="beside gap-xs chip seat-chip" title=${word} data-strong=${chip?.strong ? "true" : null}>
          ${word !== "" && sign(chip.sign)}<span class="chip-word">${word}</span>
        </p>
      </div>
      ${drawHand(words, cards, seat.holds)}
    </section>
  `;
};
