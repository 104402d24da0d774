// What a person does at the table, sent to it, and what it said of each deed. Knows no element.

const WAIT_MS = 1500;

/**
 * A seat's last answer: `said` in sentences (`kind`, `text`, `rule`), or `why` it couldn't be done.
 * @typedef {{seat: number, said: {kind: string, text: string, rule: string | null}[], why: string | null,
 *   deed: string}} Answer
 */

/**
 * @param {{live: {ask: (message: object) => Promise<any>}, store: {get: (name: string) => any}}} page
 */
export const makeDeeds = ({ live, store }) => {
  const listeners = new Set();
  const doing = new Map();
  /** @type {Map<number, {send: () => void, since: number}>} */
  const waiting = new Map();

  const tell = (answer) => listeners.forEach((listener) => listener(answer));

  const handsBusy = (seat) => Boolean(doing.get(seat) || store.get("hands")?.[seat]?.busy);

  const send = async (deed, message) => {
    const { seat } = message;
    const taking = deed !== "press" && deed !== "lift";
    if (taking) {
      doing.set(seat, (doing.get(seat) ?? 0) + 1);
      tell(null);
    }
    const answer = await live.ask({ do: deed, ...message });
    if (taking) {
      doing.set(seat, doing.get(seat) - 1);
    }
    if (answer.gone || deed === "lift") {
      tell(null);
    } else {
      tell({ seat, deed, said: answer.said ?? [], why: answer.ok ? null : answer.why });
    }
    next(seat);
  };

  /** The hands do one thing after the other; one more is kept for as long as somebody would still mean it. */
  const next = (seat) => {
    const kept = waiting.get(seat);
    if (kept === undefined || handsBusy(seat)) {
      return;
    }
    waiting.delete(seat);
    if (performance.now() - kept.since < WAIT_MS) {
      kept.send();
    }
  };

  const withHands = (deed, message) => {
    if (handsBusy(message.seat)) {
      waiting.set(message.seat, { send: () => send(deed, message), since: performance.now() });
    } else {
      void send(deed, message);
    }
  };

  store.on("hands", (hands) => Object.keys(hands ?? {}).forEach((seat) => next(Number(seat))));

  const padOf = (pad) => (pad === "discard" ? pad : Number(pad));

  return {
    /** Whether a seat's hands are busy with a card. */
    busy: handsBusy,
    tap: (seat, card, pad) => withHands("tap", { seat, card, pad: padOf(pad) }),
    hold: (seat, card, pad) => withHands("hold", { seat, card, pad: padOf(pad) }),
    put: (seat, card, pad) => void send("put", { seat, card, pad: padOf(pad) }),
    lift: (seat, card, pad) => void send("lift", { seat, card, pad: padOf(pad) }),
    press: (seat) => void send("press", { seat }),
    draw: (seat) => void send("draw", { seat }),
    control: (seat, control) => withHands("control", { seat, control }),
    tapRows: (seat) => withHands("tap-rows", { seat }),
    sit: (seat) => void send("sit", { seat }),
    stand: (seat) => void send("stand", { seat }),
    /** Call `listener(answer)` with each answer, and with null whenever the hands begin or end something. */
    follow: (listener) => listeners.add(listener),
  };
};
