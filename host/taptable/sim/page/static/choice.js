// Which card is chosen, at which of the person's seats, and where it may go. Knows no element and no wire.

/** A card's pads in a list of taps, `[[card, pad], …]`. */
export const padsOf = (card, taps) => taps.filter(([each]) => each === card).map(([, pad]) => String(pad));

/** The cards of a zone as they are shown: those of the draw pile lie in no order, so what counts comes first. */
export const inOrder = ({ place, cards }, taps) => {
  if (place !== "draw-pile") {
    return cards;
  }
  const counts = (card) => padsOf(card, taps).length > 0;
  return [...cards.filter(counts), ...cards.filter((card) => !counts(card))];
};

/**
 * What is chosen in the hands of the part `hands`; listeners are called whenever that changes, or what may be done
 * with it.
 * @param {{get: (name: string) => any}} store
 */
export const makeChoice = (store) => {
  const listeners = new Set();
  /** @type {number | null} */
  let seat = null;
  /** @type {string | null} */
  let card = null;
  let dragged = false;

  const tell = () => listeners.forEach((listener) => listener());
  const hands = () => store.get("hands") ?? {};
  const hand = () => (seat === null ? undefined : hands()[seat]);
  const inReach = (wanted) => Boolean(hand()?.zones.some((zone) => zone.cards.includes(wanted)));

  return {
    get seat() {
      return seat;
    },
    get card() {
      return card;
    },
    /** Whether the chosen card is under the pointer. */
    get dragged() {
      return dragged;
    },
    /** The seats a person plays, lowest first. */
    seats: () => Object.keys(hands()).map(Number).sort((one, other) => one - other),
    /** What lies before the person at the seat that is shown; undefined while nobody plays. */
    hand,
    /** All cards in reach, in order. */
    cards: () => (hand()?.zones ?? []).flatMap((zone) => inOrder(zone, hand().fair)),
    /** Pads on which the chosen card would count. */
    targets: () => (card === null ? [] : padsOf(card, hand()?.fair ?? [])),
    /** Whether a hold of the chosen card would count. */
    holds: () => card !== null && padsOf(card, hand()?.holds ?? []).length > 0,
    /** Take another seat's hand. */
    sit(wanted) {
      if (wanted !== seat) {
        seat = wanted;
        card = null;
        tell();
      }
    },
    /** Choose a card in reach, or none (null). */
    choose(wanted, { drag = false } = {}) {
      if (wanted === null || inReach(wanted)) {
        card = wanted;
        dragged = drag && wanted !== null;
        tell();
      }
    },
    /** The hands have changed: let go of what is no longer there. */
    settle() {
      const seats = this.seats();
      if (seat === null || !seats.includes(seat)) {
        seat = seats[0] ?? null;
        card = null;
      }
      if (card !== null && !dragged && !inReach(card)) {
        card = null;
      }
      tell();
    },
    follow: (listener) => listeners.add(listener),
  };
};
