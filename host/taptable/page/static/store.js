// What the table last told: parts, streams and table time. Listeners are called once a frame at most, however much
// came. It must not know the wire nor the document.

const KEPT = 400;
const US_PER_MS = 1000;

/**
 * A store. `on(name, listener)` gets a part's value (undefined: not told yet) at the next frame and after each change;
 * `onItems(stream, listener)` gets `(items, {whole, emptied})`: what is new, or everything (`whole`) after a new start or in
 * another language; items before number `emptied` are to be dropped. `frame` asks for a frame (for tests another than the browser's).
 */
export const makeStore = (frame = (callback) => requestAnimationFrame(callback)) => {
  let parts = new Map();
  let streams = new Map();
  const partListeners = new Map();
  const streamListeners = new Map();
  const settledListeners = new Set();
  const anewListeners = new Set();
  const dirtyParts = new Set();
  const dirtyStreams = new Map();
  const tasks = new Set();
  let asked = false;
  let boot = null;
  let revision = 0;
  let rate = 1;
  let atUs = 0;
  let heardAtMs = 0;
  let stoodAtMs = null;

  const ask = () => {
    if (asked) {
      return;
    }
    asked = true;
    frame(flush);
  };

  const settle = () => {
    asked = false;
    if (dirtyParts.size > 0 || dirtyStreams.size > 0 || tasks.size > 0) {
      ask();
    }
    settledListeners.forEach((listener) => listener({ boot, revision }));
  };

  const flush = () => {
    const changed = [...dirtyParts];
    dirtyParts.clear();
    const streamed = [...dirtyStreams];
    dirtyStreams.clear();
    changed.forEach((name) => (partListeners.get(name) ?? []).forEach((listener) => listener(parts.get(name))));
    streamed.forEach(([name, dirt]) => {
      const kept = streams.get(name)?.items ?? [];
      const items = dirt.whole ? kept : kept.filter((item) => item.n >= dirt.from);
      (streamListeners.get(name) ?? []).forEach((listener) => listener(items, { whole: dirt.whole, emptied: streams.get(name)?.emptied ?? 0 }));
    });
    const now = [...tasks];
    tasks.clear();
    now.forEach((task) => task());
    settle();
  };

  const markStream = (name, from, whole) => {
    const dirt = dirtyStreams.get(name);
    dirtyStreams.set(name, { from: Math.min(from, dirt?.from ?? from), whole: whole || Boolean(dirt?.whole) });
  };

  const take = (name, { from, items, emptied = 0 }, anew) => {
    const stream = streams.get(name) ?? { items: [], next: 0 };
    const again = from < stream.next;
    const numbered = items.map((item, index) => (item.n === undefined ? { ...item, n: from + index } : item));
    const before = stream.items.filter((item) => item.n >= emptied && !(again && item.n >= from));
    const last = numbered.length > 0 ? numbered[numbered.length - 1].n + 1 : from;
    streams.set(name, { items: [...before, ...numbered].slice(-KEPT), next: Math.max(last, from), emptied });
    markStream(name, from, again || anew);
  };

  const forget = () => {
    parts.forEach((_, name) => dirtyParts.add(name));
    streams.forEach((_, name) => markStream(name, 0, true));
    parts = new Map();
    streams = new Map();
  };

  const nowUs = (nowMs = performance.now()) =>
    atUs + Math.max(0, (stoodAtMs ?? nowMs) - heardAtMs) * US_PER_MS * rate;

  return {
    /** Take in one message of the table: `{boot, revision, at_us, parts, streams}`; another boot forgets all. */
    apply: (message, nowMs = performance.now()) => {
      const anew = message.boot !== boot;
      if (anew) {
        forget();
        const wasTold = boot !== null;
        boot = message.boot;
        if (wasTold) {
          anewListeners.forEach((listener) => listener());
        }
      }
      revision = message.revision;
      atUs = message.at_us;
      heardAtMs = nowMs;
      stoodAtMs = null;
      Object.entries(message.parts ?? {}).forEach(([name, value]) => {
        parts.set(name, value);
        dirtyParts.add(name);
      });
      Object.entries(message.streams ?? {}).forEach(([name, news]) => take(name, news, anew));
      ask();
    },
    on: (name, listener) => {
      partListeners.set(name, [...(partListeners.get(name) ?? []), listener]);
      dirtyParts.add(name);
      ask();
    },
    onItems: (name, listener) => {
      streamListeners.set(name, [...(streamListeners.get(name) ?? []), listener]);
      markStream(name, 0, true);
      ask();
    },
    /** Call `listener()` at once when all is told again from its beginning: what was told before may not hold any more. */
    onAnew: (listener) => anewListeners.add(listener),
    /** Call `listener({boot, revision})` after every frame in which something was drawn. */
    onSettled: (listener) => settledListeners.add(listener),
    /** Do `task` once in the next frame, after the parts. */
    soon: (task) => {
      tasks.add(task);
      ask();
    },
    /** Draw everything again: the words have changed. */
    again: () => {
      partListeners.forEach((_, name) => dirtyParts.add(name));
      streamListeners.forEach((_, name) => markStream(name, 0, true));
      ask();
    },
    get: (name) => parts.get(name),
    items: (name) => streams.get(name)?.items ?? [],
    /** What a client says in its hello: the last known boot, revision and next number of each stream. */
    known: () => ({
      boot,
      revision,
      next: Object.fromEntries([...streams].map(([name, stream]) => [name, stream.next])),
    }),
    /** Table time stands still until the table is heard again: it is gone, and nobody knows. */
    stand: (nowMs = performance.now()) => {
      stoodAtMs ??= nowMs;
    },
    /** Table time now, in µs. */
    nowUs,
    /** How many seconds of table time pass in one of the browser's; in a picture of the past, none. */
    rate: () => rate,
    setRate: (wanted, nowMs = performance.now()) => {
      atUs = nowUs(nowMs);
      heardAtMs = nowMs;
      stoodAtMs = stoodAtMs === null ? null : nowMs;
      rate = wanted;
    },
  };
};
