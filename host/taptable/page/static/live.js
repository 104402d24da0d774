// The WebSocket to the table: fetches what the table is, says hello with the state known so far, sends requests and
// resolves their answers, sends an echo to detect a lost connection, and reconnects. It must not know what the parts
// mean.

const RETRIES_MS = [250, 500, 1000, 2000];
const GOING_AWAY = 1001;
const TRY_LATER = 1013;
const CROWDED_OUT = 4002;
const CROWDED_RETRY_MS = 60_000;
const ECHO_EVERY_MS = 5000;
const ECHO_WAIT_MS = 4000;

/**
 * Returns the reason for a closed connection. Only the server can say that the table is `gone`; otherwise it may still
 * be playing.
 */
const closeReason = (code, reason) => {
  switch (code) {
    case CROWDED_OUT:
      return "crowded";
    case GOING_AWAY:
      return "gone";
    case TRY_LATER:
      return reason;
    default:
      return "unreached";
  }
};

/**
 * Makes a connection that isn't open yet. `onConnectionChange(why)` receives the reason for its end, or "" once it is
 * back. `onHello(answer)` receives the answer to hello: `{paired, name}`. With `inPublic`, members' names come in the
 * form that they chose for the public.
 */
export const makeLive = ({
  store,
  language,
  onConnectionChange,
  onHello = () => {},
  inPublic = false,
  path = "/live",
}) => {
  const watched = new Set();
  const pending = new Map();
  const connectWaiters = new Set();
  let socket = null;
  let connected = false;
  let attempt = 0;
  let number = 0;
  let sentLanguage = null;
  let retryTimer = 0;
  let echoTimer = 0;

  const isOpen = () => socket?.readyState === WebSocket.OPEN;
  /** Whether requests can be sent: not before the first message, nor once the table closes the connection. */
  const isConnected = () => connected && isOpen();
  const send = (message) => socket.send(JSON.stringify(message));

  const resolveAnswer = (message) => {
    const resolve = pending.get(message.answer);
    pending.delete(message.answer);
    resolve?.(message);
  };

  const handleMessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.answer !== undefined) {
      resolveAnswer(message);
      return;
    }
    store.apply(message);
    if (!connected) {
      connected = true;
      attempt = 0;
      onConnectionChange("");
      connectWaiters.forEach((resume) => resume());
      connectWaiters.clear();
    }
  };

  const resetConnection = () => {
    socket = null;
    connected = false;
    clearTimeout(echoTimer);
    pending.forEach((resolve, n) => resolve({ answer: n, ok: false, gone: true, why: "" }));
    pending.clear();
  };

  const handleClose = (closedSocket, code, reason) => {
    if (closedSocket !== socket) {
      return;
    }
    resetConnection();
    const crowded = code === CROWDED_OUT;
    onConnectionChange(closeReason(code, reason));
    retryTimer = setTimeout(open, crowded ? CROWDED_RETRY_MS : RETRIES_MS[Math.min(attempt, RETRIES_MS.length - 1)]);
    attempt += 1;
  };

  const abandonSocket = () => {
    const abandoned = socket;
    if (abandoned !== null) {
      abandoned.close();
      handleClose(abandoned);
    }
  };

  const echo = async () => {
    clearTimeout(echoTimer);
    if (socket === null || document.hidden) {
      return;
    }
    const echoSocket = socket;
    const timeout = setTimeout(() => echoSocket === socket && abandonSocket(), ECHO_WAIT_MS);
    await ask({ do: "echo" });
    clearTimeout(timeout);
    if (echoSocket === socket) {
      echoTimer = setTimeout(echo, ECHO_EVERY_MS);
    }
  };

  const open = () => {
    clearTimeout(retryTimer);
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket = opened;
    opened.addEventListener("open", () => {
      if (opened !== socket) {
        return;
      }
      // Sentences in another language are of no use, so everything is requested again.
      const cursor = language() === sentLanguage ? store.cursor() : { ...store.cursor(), boot: null };
      sentLanguage = language();
      ask({ do: "hello", language: sentLanguage, ...cursor, in_public: inPublic, watch: [...watched] }).then((hello) => hello.ok && onHello(hello));
      echo();
    });
    opened.addEventListener("message", (event) => opened === socket && handleMessage(event));
    opened.addEventListener("close", ({ code, reason }) => handleClose(opened, code, reason));
  };

  /** Sends a request. Returns its answer `{ok, …}`, or `{ok: false, gone: true}` if the connection is lost. */
  const ask = (message) => {
    if (!isOpen()) {
      return Promise.resolve({ ok: false, gone: true, why: "" });
    }
    number += 1;
    const n = number;
    const answer = new Promise((resolve) => pending.set(n, resolve));
    send({ ...message, n });
    return answer;
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      return;
    }
    if (socket === null) {
      attempt = 0;
      open();
    } else {
      echo();
    }
  });

  return {
    open,
    /** Connects again with a new hello, for when the browser has another cookie. */
    reconnect: () => {
      const abandoned = socket;
      resetConnection();
      abandoned?.close();
      open();
    },
    ask,
    isConnected,
    /**
     * Sends a request once the table answers, again after a lost connection. Returns the answer, or null once
     * `isWanted()` is false.
     */
    askWhenConnected: async (message, isWanted = () => true) => {
      let answer = null;
      while (isWanted() && (answer === null || answer.gone)) {
        if (!isConnected()) {
          await new Promise((resume) => connectWaiters.add(resume));
        } else {
          answer = await ask(message);
        }
      }
      return isWanted() ? answer : null;
    },
    /** Requests sentences in another language. */
    setLanguage: (newLanguage) => {
      if (isOpen()) {
        send({ do: "language", language: newLanguage });
        sentLanguage = newLanguage;
      }
    },
    /** Subscribes to a stream (true) or unsubscribes (false). */
    watch: (stream, isWatched) => {
      watched[isWatched ? "add" : "delete"](stream);
      if (isOpen()) {
        send({ do: "watch", watch: [...watched] });
      }
    },
  };
};

const RETRY_MS = 1000;

/** Waits before something is tried again. */
export const waitBeforeRetry = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/**
 * Fetches `/about.json` until there is a table, and returns it. Before each retry it awaits `onUnavailable(why,
 * answer)`; `answer` has the languages of the page's texts, and is null without an answer.
 */
export const fetchAboutOnceReady = async (onUnavailable) => {
  for (;;) {
    try {
      const answer = await fetch("/about.json");
      const about = await answer.json();
      if (answer.ok) {
        return about;
      }
      await onUnavailable(about.why, about);
    } catch {
      await onUnavailable("unreached", null); // the page's own server may be gone
    }
    await waitBeforeRetry();
  }
};

/** Fetches a sheet of faces as SVG text: that of the current game, or the one at `path`. */
export const fetchSheet = async (path = "/faces.svg") => {
  const answer = await fetch(path);
  return answer.ok ? answer.text() : "<svg/>";
};

/** Writes the table's boot, the revision drawn and whether the page is ready into data attributes of `root`. */
export const markRoot = (store, root) => {
  store.onDrawn(({ boot, revision }) => {
    root.dataset.boot = boot ?? "";
    root.dataset.revision = String(revision);
    root.dataset.ready = String(boot !== null);
  });
};
