// What a person does at the table, sent to it, and what it said of each action. Knows no element, and no rule.

/**
 * A seat's last answer: `said` in sentences, as in the log, or `why` it couldn't be done.
 * @typedef {{seat: number, action: string, said: {kind: string, text: string, rule: string | null, when?: string}[],
 *   why: string | null}} Answer
 */

/**
 * @param {{live: {ask: (message: object) => Promise<any>}, store: {get: (name: string) => any}}} page
 */
export const makeActions = ({ live, store }) => {
  const listeners = new Set();
  /** How many actions of a seat's hands are under way; the table does one after the other. */
  const doing = new Map();

  const tell = (answer) => listeners.forEach((listener) => listener(answer));

  const send = async (action, message, withHands) => {
    const { seat } = message;
    const count = (by) => doing.set(seat, (doing.get(seat) ?? 0) + by);
    if (withHands) {
      count(1);
      tell(null);
    }
    const answer = await live.ask({ do: action, ...message });
    if (withHands) {
      count(-1);
    }
    const said = answer.said ?? [];
    // what is lifted has been answered when it was put, unless more was said meanwhile
    const silent = answer.gone || (action === "lift" && (!answer.ok || said.length === 0));
    tell(silent ? null : { seat, action, said, why: answer.ok ? null : answer.why });
  };

  const padOf = (pad) => (/^\d+$/.test(pad) ? Number(pad) : pad);
  const card = (action) => (seat, what, pad) => void send(action, { seat, card: what, pad: padOf(pad) }, action !== "lift");
  const plain = (action) => (seat) => void send(action, { seat }, false);

  return {
    /** Whether a seat's hands are busy with a card. */
    busy: (seat) => Boolean(doing.get(seat) || store.get("hands")?.[seat]?.busy),
    tap: card("tap"),
    hold: card("hold"),
    put: card("put"),
    lift: card("lift"),
    press: plain("press"),
    draw: plain("draw"),
    sit: plain("sit"),
    stand: plain("stand"),
    tapRows: (seat) => void send("tap-rows", { seat }, true),
    control: (seat, control) => void send("tap-control", { seat, control }, true),
    /** Call `listener(answer)` with each answer, and with null whenever the hands begin or end something. */
    follow: (listener) => listeners.add(listener),
  };
};
