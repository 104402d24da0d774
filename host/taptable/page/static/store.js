// The state that the table last sent: parts, streams and table time. Listeners are called at most once a frame, however
// many messages came. It must not know the connection nor the document.

const MAX_ITEMS = 400; // items of a stream that are kept; log.js shows MAX_LINES of them
const US_PER_MS = 1000;

/**
 * Makes a store. `on(name, listener)` passes a part's value (undefined if not received) in the next frame and after
 * each change. `onItems(stream, listener)` passes `(items, {whole, emptied})`: new items, or with `whole` all of them,
 * after a restart or in another language; items numbered below `emptied` are to be dropped. `frame` requests an
 * animation frame; tests pass their own.
 */
export const makeStore = (frame = (callback) => requestAnimationFrame(callback)) => {
  let parts = new Map();
  let streams = new Map();
  const partListeners = new Map();
  const streamListeners = new Map();
  const drawnListeners = new Set();
  const restartListeners = new Set();
  const dirtyParts = new Set();
  const dirtyStreams = new Map();
  const tasks = new Set();
  let frameRequested = false;
  let boot = null;
  let revision = 0;
  let rate = 1;
  let atUs = 0;
  let receivedAtMs = 0;
  let stoppedAtMs = null;

  const requestDraw = () => {
    if (frameRequested) {
      return;
    }
    frameRequested = true;
    frame(flush);
  };

  const reportDrawn = () => {
    frameRequested = false;
    if (dirtyParts.size > 0 || dirtyStreams.size > 0 || tasks.size > 0) {
      requestDraw();
    }
    drawnListeners.forEach((listener) => listener({ boot, revision }));
  };

  const flush = () => {
    const changed = [...dirtyParts];
    dirtyParts.clear();
    const streamed = [...dirtyStreams];
    dirtyStreams.clear();
    changed.forEach((name) => (partListeners.get(name) ?? []).forEach((listener) => listener(parts.get(name))));
    streamed.forEach(([name, dirty]) => {
      const stored = streams.get(name)?.items ?? [];
      const items = dirty.whole ? stored : stored.filter((item) => item.n >= dirty.from);
      (streamListeners.get(name) ?? []).forEach((listener) => listener(items, { whole: dirty.whole, emptied: streams.get(name)?.emptied ?? 0 }));
    });
    const due = [...tasks];
    tasks.clear();
    due.forEach((task) => task());
    reportDrawn();
  };

  const markStream = (name, from, whole) => {
    const dirty = dirtyStreams.get(name);
    dirtyStreams.set(name, { from: Math.min(from, dirty?.from ?? from), whole: whole || Boolean(dirty?.whole) });
  };

  const applyStream = (name, { from, items, emptied = 0 }, isNewBoot) => {
    const stream = streams.get(name) ?? { items: [], next: 0 };
    const repeats = from < stream.next;
    const numbered = items.map((item, index) => (item.n === undefined ? { ...item, n: from + index } : item));
    const kept = stream.items.filter((item) => item.n >= emptied && !(repeats && item.n >= from));
    const last = numbered.length > 0 ? numbered[numbered.length - 1].n + 1 : from;
    streams.set(name, { items: [...kept, ...numbered].slice(-MAX_ITEMS), next: Math.max(last, from), emptied });
    markStream(name, from, repeats || isNewBoot);
  };

  const clear = () => {
    parts.forEach((_, name) => dirtyParts.add(name));
    streams.forEach((_, name) => markStream(name, 0, true));
    parts = new Map();
    streams = new Map();
  };

  const nowUs = (nowMs = performance.now()) =>
    atUs + Math.max(0, (stoppedAtMs ?? nowMs) - receivedAtMs) * US_PER_MS * rate;

  return {
    /** Applies a message of the table: `{boot, revision, at_us, parts, streams}`. Another boot clears the store. */
    apply: (message, nowMs = performance.now()) => {
      const isNewBoot = message.boot !== boot;
      if (isNewBoot) {
        clear();
        const hadBoot = boot !== null;
        boot = message.boot;
        if (hadBoot) {
          restartListeners.forEach((listener) => listener());
        }
      }
      revision = message.revision;
      atUs = message.at_us;
      receivedAtMs = nowMs;
      stoppedAtMs = null;
      Object.entries(message.parts ?? {}).forEach(([name, value]) => {
        parts.set(name, value);
        dirtyParts.add(name);
      });
      Object.entries(message.streams ?? {}).forEach(([name, update]) => applyStream(name, update, isNewBoot));
      requestDraw();
    },
    on: (name, listener) => {
      partListeners.set(name, [...(partListeners.get(name) ?? []), listener]);
      dirtyParts.add(name);
      requestDraw();
    },
    onItems: (name, listener) => {
      streamListeners.set(name, [...(streamListeners.get(name) ?? []), listener]);
      markStream(name, 0, true);
      requestDraw();
    },
    /** Calls `listener()` immediately when another boot begins, which invalidates all that was received before. */
    onRestart: (listener) => restartListeners.add(listener),
    /** Calls `listener({boot, revision})` after each frame in which something was drawn. */
    onDrawn: (listener) => drawnListeners.add(listener),
    /** Runs `task` once in the next frame, after the listeners of parts. */
    schedule: (task) => {
      tasks.add(task);
      requestDraw();
    },
    /** Draws everything again, as after a change of language. */
    redraw: () => {
      partListeners.forEach((_, name) => dirtyParts.add(name));
      streamListeners.forEach((_, name) => markStream(name, 0, true));
      requestDraw();
    },
    get: (name) => parts.get(name),
    items: (name) => streams.get(name)?.items ?? [],
    /** Returns what hello sends to resume: the last boot, its revision, and the next number of each stream. */
    cursor: () => ({
      boot,
      revision,
      next: Object.fromEntries([...streams].map(([name, stream]) => [name, stream.next])),
    }),
    /** Stops table time until the next message, because the connection is lost. */
    stopClock: (nowMs = performance.now()) => {
      stoppedAtMs ??= nowMs;
    },
    /** Returns table time now, in µs. */
    nowUs,
    /** Returns how many seconds of table time pass per second of the browser's clock; 0 in a replay. */
    rate: () => rate,
    setRate: (newRate, nowMs = performance.now()) => {
      atUs = nowUs(nowMs);
      receivedAtMs = nowMs;
      stoppedAtMs = stoppedAtMs === null ? null : nowMs;
      rate = newRate;
    },
  };
};
