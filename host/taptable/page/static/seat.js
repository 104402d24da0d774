// One seat's plate: its number, whose turn, cards in hand, what its button means, and room for the annex.
// It must not know how the plates are set round the table.

import { el, fill, setData, setText } from "./elements.js";
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
  return seat.meaning === null ? null : { key: `meaning ${seat.meaning}`, sign: "bell", strong: false };
};

/**
 * A plate for seat `number`, in whose `plate` the mat of who plays alone lies; `draw` takes `{seat, team, turn, window,
 * shared, place}`, as the parts of the table have them; `place` is the team's at the end.
 */
export const makeSeat = (number, { words, names, slots, cards }) => {
  const name = el("h2", { class: "seat-name" });
  const badge = el("span", { class: "badge", "aria-hidden": "true" }, String(number));
  const hand = el("p", { class: "hand" });
  const chipWord = el("span", { class: "chip-word" });
  const chip = el("p", { class: "chip seat-chip" }, chipWord);
  const head = el("div", { class: "seat-head" }, badge, name, hand);
  const plate = el("div", { class: "plate" }, head, chip, slots.seat(number));
  const element = el("section", { class: "seat", data: { seat: String(number) } }, plate);
  let chipSign = null;
  let drawnHand = "";

  /** What a seat holds: as one number, or each kind of card that is told apart. */
  const drawHand = (holds) => {
    const now = JSON.stringify([holds, words.language(), cards.edition()]);
    if (now === drawnHand) {
      return;
    }
    drawnHand = now;
    const said = holds.map((count) =>
      holds.length === 1 ? words.say("page hand", { number: count.have }) : countText(words, count),
    );
    hand.title = said.join(", ");
    fill(
      hand,
      ...holds.flatMap((count) => [
        cards.back(count.name, "hand-card"),
        el("span", { class: "hand-number", "aria-hidden": "true", data: { holds: count.name } }, String(count.have)),
      ]),
      el("span", { class: "unseen" }, said.join(", ")),
    );
  };

  const drawChip = (wanted) => {
    const word = wanted === null || !words.has(wanted.key) ? "" : words.say(wanted.key, wanted.facts);
    setText(chipWord, word);
    chip.title = word;
    setData(chip, "strong", wanted?.strong ? "true" : null);
    const signed = word === "" ? null : wanted.sign;
    if (signed !== chipSign) {
      chipSign = signed;
      fill(chip, signed === null ? null : sign(signed), chipWord);
    }
  };

  return {
    element,
    plate,
    draw: ({ seat, team, turn, window, shared, place }) => {
      const mine = slots.isMine(number);
      const called = names.of(number);
      setText(name, called || words.say(mine ? "page you" : "page seat", { seat: number }));
      name.title = name.textContent;
      element.setAttribute("aria-label", mine ? words.say("page seat-mine", { seat: number }) : names.seat(number));
      setData(element, "turn", String(turn.seat === number && !turn.over));
      setData(element, "ofTeam", shared ? team : null);
      setData(element, "mine", mine ? "true" : null);
      setData(element, "won", place === 1 ? "true" : null);
      drawHand(seat.holds);
      drawChip(chipOf(seat, turn, window, place));
    },
  };
};
