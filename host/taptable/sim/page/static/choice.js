// The state of a person at the table: the chosen card, their seat, and where the card may go. Also sends their actions
// and passes the answers on. It must not know any element, nor any rule.

const HAND = "hand";

/** Returns a card's pads in a list of taps, `[[card, pad], …]`. */
export const padsOf = (card, taps) => taps.filter(([each]) => each === card).map(([, pad]) => String(pad));

/** Sorts cards by kind, in the game's order, and number. */
const inGameOrder = (cards, kinds) => {
  const kindOrder = new Map(kinds.map(({ id }, index) => [id, index]));
  const keyOf = (card) => {
    const [kind, number] = card.split("#");
    return [kindOrder.get(kind) ?? kinds.length, Number(number)];
  };
  const keyedCards = cards.map((card) => ({ card, key: keyOf(card) }));
  keyedCards.sort((one, other) => one.key[0] - other.key[0] || one.key[1] - other.key[1]);
  return keyedCards.map(({ card }) => card);
};

/** Returns the visible zones: the hand, and every other zone with a card that counts now. */
const visibleZones = ({ zones, fair, holds }, kinds) => {
  const counts = (card) => padsOf(card, fair).length > 0 || padsOf(card, holds).length > 0;
  const shown = ({ place, cards }) => place === HAND || cards.some(counts);
  // a draw pile has no order, so cards that count come first
  const inOrder = ({ place, cards }) =>
    place === "draw-pile" ? [...cards.filter(counts), ...cards.filter((card) => !counts(card))] : cards;
  return zones
    .filter(shown)
    .map((zone) => ({ ...zone, cards: zone.place === HAND ? inGameOrder(zone.cards, kinds) : inOrder(zone) }));
};

/**
 * Makes the choice for the part `hands`. Listeners are called when it changes, or when what can be done with it
 * changes.
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
    /** Whether the chosen card is being dragged. */
    get dragged() { return dragged; },
    /** The seats a person plays, lowest first. */
    seats: () => Object.keys(hands()).map(Number).sort((one, other) => one - other),
    /** Returns the part `hands` for the current seat; undefined while nobody plays. */
    hand,
    /** Returns the visible zones in reach, the hand first. */
    zones,
    /** Returns the pads on which the chosen card would count. */
    targets: () => (card === null ? [] : padsOf(card, hand()?.fair ?? [])),
    /** Returns the pads on which any card would count; none while a card is chosen. */
    padsThatCount: () => (card === null ? (hand()?.lit ?? []).map(String) : []),
    /** Whether holding the chosen card on the pad would count. */
    holds: () => card !== null && padsOf(card, hand()?.holds ?? []).length > 0,
    /** Changes to another seat's hand. */
    selectSeat(newSeat) {
      if (newSeat !== seat) {
        seat = newSeat;
        card = null;
        notify();
      }
    },
    /** Chooses a card in reach, or none (null). */
    choose(newCard, { drag = false } = {}) {
      if (newCard === null || isInReach(newCard)) {
        card = newCard;
        dragged = drag && newCard !== null;
        notify();
      }
    },
    /** Drops a seat or card that is gone, after a change of the hands. */
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
 * Makes the actions of a person. An answer is `{seat, action, said, why}`: sentences as in the log (`{kind, text, rule,
 * when}`), or why the action failed.
 */
export const makeActions = ({ live, store }) => {
  const listeners = new Set();
  /** Number of running actions per seat. The table executes them one after the other. */
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
    // A lift was answered when the card was put down, unless the table says more.
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
    /** Calls `listener(answer)` with each answer, and with null when an action begins or ends without one. */
    onAnswer: (listener) => listeners.add(listener),
  };
};
