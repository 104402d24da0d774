// What a person at the table does: which card is chosen, at which of their seats and where it may go; what they do,
// sent to the table, and what it said. Knows no element, and no rule.

const HAND = "hand";

/** A card's pads in a list of taps, `[[card, pad], …]`. */
export const padsOf = (card, taps) => taps.filter(([each]) => each === card).map(([, pad]) => String(pad));

/** Cards as the game lists them, by kind and number. */
const inGameOrder = (cards, kinds) => {
  const kindOrder = new Map(kinds.map(({ id }, index) => [id, index]));
  const keyOf = (card) => {
    const [kind, number] = card.split("#");
    return [kindOrder.get(kind) ?? kinds.length, Number(number)];
  };
  const keyedCards = cards.map((card) => ({ card, key: keyOf(card) }));
  return keyedCards.sort((one, other) => one.key[0] - other.key[0] || one.key[1] - other.key[1]).map(({ card }) => card);
};

/** What is shown of the zones in reach: the hand, and each other that has a card that counts now. */
const visibleZones = ({ zones, fair, holds }, kinds) => {
  const counts = (card) => padsOf(card, fair).length > 0 || padsOf(card, holds).length > 0;
  const shown = ({ place, cards }) => place === HAND || cards.some(counts);
  // the cards of a draw pile lie in no order, so what counts comes first
  const inOrder = ({ place, cards }) =>
    place === "draw-pile" ? [...cards.filter(counts), ...cards.filter((card) => !counts(card))] : cards;
  return zones
    .filter(shown)
    .map((zone) => ({ ...zone, cards: zone.place === HAND ? inGameOrder(zone.cards, kinds) : inOrder(zone) }));
};

/**
 * What is chosen in the hands of the part `hands`; listeners are called whenever that changes, or what may be done with
 * it.
 */
export const makeChoice = (store) => {
  const listeners = new Set();
  let seat = null;
  let card = null;
  let dragged = false;

  const notify = () => listeners.forEach((listener) => listener());
  const hands = () => store.get("hands") ?? {};
  const hand = () => (seat === null ? undefined : hands()[seat]);
  const zones = () => (hand() === undefined ? [] : visibleZones(hand(), store.get("pack")?.kinds ?? []));
  const isInReach = (id) => zones().some((zone) => zone.cards.includes(id));

  return {
    get seat() { return seat; },
    get card() { return card; },
    /** Whether the chosen card is under the pointer. */
    get dragged() { return dragged; },
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
    selectSeat(newSeat) {
      if (newSeat !== seat) {
        seat = newSeat;
        card = null;
        notify();
      }
    },
    /** Choose a card in reach, or none (null). */
    choose(newCard, { drag = false } = {}) {
      if (newCard === null || isInReach(newCard)) {
        card = newCard;
        dragged = drag && newCard !== null;
        notify();
      }
    },
    /** The hands have changed: let go of what is no longer there. */
    refresh() {
      const seats = this.seats();
      if (seat === null || !seats.includes(seat)) {
        seat = seats[0] ?? null;
        card = null;
      }
      if (card !== null && !dragged && !isInReach(card)) {
        card = null;
      }
      notify();
    },
    onChange: (listener) => listeners.add(listener),
  };
};

/**
 * What a person does at the table of `page`. An answer is `{seat, action, said, why}`: sentences as in the log,
 * `{kind, text, rule, when}`, or why it couldn't be done.
 */
export const makeActions = ({ live, store }) => {
  const listeners = new Set();
  /** How many actions of a seat's hands are under way; the table does one after the other. */
  const runningActions = new Map();

  const notify = (answer) => listeners.forEach((listener) => listener(answer));

  const send = async (action, message, blocksHand) => {
    const { seat } = message;
    const addRunning = (by) => runningActions.set(seat, (runningActions.get(seat) ?? 0) + by);
    if (blocksHand) {
      addRunning(1);
      notify(null);
    }
    const answer = await live.ask({ do: action, ...message });
    if (blocksHand) {
      addRunning(-1);
    }
    const said = answer.said ?? [];
    // what is lifted has been answered when it was put, unless more was said meanwhile
    const isSilent = answer.gone || (action === "lift" && (!answer.ok || said.length === 0));
    notify(isSilent ? null : { seat, action, said, why: answer.ok ? null : answer.why });
  };

  const toPad = (pad) => (/^\d+$/.test(pad) ? Number(pad) : pad);
  const cardAction = (action) => (seat, what, pad) => void send(action, { seat, card: what, pad: toPad(pad) }, action !== "lift");
  const seatAction = (action) => (seat) => void send(action, { seat }, false);

  return {
    /** Whether a seat's hands are busy with a card. */
    busy: (seat) => Boolean(runningActions.get(seat) || store.get("hands")?.[seat]?.busy),
    tap: cardAction("tap"),
    hold: cardAction("hold"),
    put: cardAction("put"),
    lift: cardAction("lift"),
    press: seatAction("press"),
    draw: seatAction("draw"),
    sit: seatAction("sit"),
    stand: seatAction("stand"),
    tapRows: (seat) => void send("tap-rows", { seat }, true),
    control: (seat, control) => void send("tap-control", { seat, control }, true),
    /** Call `listener(answer)` with each answer, and with null whenever the hands begin or end something. */
    onAnswer: (listener) => listeners.add(listener),
  };
};
