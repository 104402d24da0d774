// The connection to the table: what the table is about, hello with what is known, asks with answers, an echo to notice
// that the table is gone, and trying again. It must not know what the parts mean.

const RETRIES_MS = [250, 500, 1000, 2000];
const GOING_AWAY = 1001;
const TRY_LATER = 1013;
const CROWDED_OUT = 4002;
const CROWDED_RETRY_MS = 60_000;
const ECHO_EVERY_MS = 5000;
const ECHO_WAIT_MS = 4000;

/** What ended a connection: only the page itself can say that the table is `gone`, which else may be playing on. */
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
 * A connection, not opened yet. `onConnectionChange(why)` is told why it has ended, or that it is back (""), `onHello(who)` what is
 * answered to a hello: `{paired, name}`; `inPublic` members are called as they chose to be there.
 */
export const makeLive = ({ store, language, onConnectionChange, onHello = () => {}, inPublic = false, path = "/live" }) => {
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
  /** Whether the table answers; not while it says goodbye, when nothing can be asked any more. */
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
      // What was said in another language is of no use: it is asked for anew.
      const cursor = language() === sentLanguage ? store.cursor() : { ...store.cursor(), boot: null };
      sentLanguage = language();
      ask({ do: "hello", language: sentLanguage, ...cursor, in_public: inPublic, watch: [...watched] }).then((hello) => hello.ok && onHello(hello));
      echo();
    });
    opened.addEventListener("message", (event) => opened === socket && handleMessage(event));
    opened.addEventListener("close", ({ code, reason }) => handleClose(opened, code, reason));
  };

  /** Send a request; its answer `{ok, …}`, or `{ok: false, gone: true}` if the table is gone. */
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
    /** Say hello anew, on another connection: the browser may have another cookie now. */
    reconnect: () => {
      const abandoned = socket;
      resetConnection();
      abandoned?.close();
      open();
    },
    ask,
    isConnected,
    /** The answer to a request, as soon as the table is there; null once it isn't `wanted()` any more. */
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
    /** Ask for the sentences in another language. */
    setLanguage: (newLanguage) => {
      if (isOpen()) {
        send({ do: "language", language: newLanguage });
        sentLanguage = newLanguage;
      }
    },
    /** Want a watched stream (true) or not any more. */
    watch: (stream, isWatched) => {
      watched[isWatched ? "add" : "delete"](stream);
      if (isOpen()) {
        send({ do: "watch", watch: [...watched] });
      }
    },
  };
};

const RETRY_MS = 1000;

/** A while before something is tried again. */
export const waitBeforeRetry = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/**
 * What the table is about, once there is one. Until then it is asked again and again, and `onAway(why, about)` is awaited:
 * `about` has the languages in which the page may say why.
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
      await onUnavailable("unreached", null); // the page's own process may be gone meanwhile
    }
    await waitBeforeRetry();
  }
};

/** A sheet of faces as SVG text: that of the game that is played, or of another. */
export const fetchSheet = async (path = "/faces.svg") => {
  const answer = await fetch(path);
  return answer.ok ? answer.text() : "<svg/>";
};

/** Let `root` say which start of the table and which revision it shows, and whether it is ready. */
export const markRoot = (store, root) => {
  store.onDrawn(({ boot, revision }) => {
    root.dataset.boot = boot ?? "";
    root.dataset.revision = String(revision);
    root.dataset.ready = String(boot !== null);
  });
};
