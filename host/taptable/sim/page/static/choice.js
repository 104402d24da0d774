// Which card is chosen, at which of the person's seats, and where it may go. Knows no element and no wire.

const HAND = "hand";

/** A card's pads in a list of taps, `[[card, pad], …]`. */
export const padsOf = (card, taps) => taps.filter(([each]) => each === card).map(([, pad]) => String(pad));

/** Cards as the game lists them, by kind and number. */
const sorted = (cards, kinds) => {
  const at = new Map(kinds.map(({ id }, index) => [id, index]));
  const keyOf = (card) => {
    const [kind, number] = card.split("#");
    return [at.get(kind) ?? kinds.length, Number(number)];
  };
  const keyed = cards.map((card) => ({ card, key: keyOf(card) }));
  return keyed.sort((one, other) => one.key[0] - other.key[0] || one.key[1] - other.key[1]).map(({ card }) => card);
};

/** What is shown of the zones in reach: the hand, and each other that has a card that counts now. */
const zonesShown = ({ zones, fair, holds }, kinds) => {
  const counts = (card) => padsOf(card, fair).length > 0 || padsOf(card, holds).length > 0;
  const shown = ({ place, cards }) => place === HAND || cards.some(counts);
  // the cards of a draw pile lie in no order, so what counts comes first
  const inOrder = ({ place, cards }) =>
    place === "draw-pile" ? [...cards.filter(counts), ...cards.filter((card) => !counts(card))] : cards;
  return zones
    .filter(shown)
    .map((zone) => ({ ...zone, cards: zone.place === HAND ? sorted(zone.cards, kinds) : inOrder(zone) }));
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
  const zones = () => (hand() === undefined ? [] : zonesShown(hand(), store.get("pack")?.kinds ?? []));
  const inReach = (wanted) => zones().some((zone) => zone.cards.includes(wanted));

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
    /** What is shown of the zones in reach, the hand first. */
    zones,
    /** Pads on which the chosen card would count. */
    targets: () => (card === null ? [] : padsOf(card, hand()?.fair ?? [])),
    /** While no card is chosen: pads on which some card would count. */
    padsThatCount: () => (card === null ? (hand()?.lit ?? []).map(String) : []),
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
