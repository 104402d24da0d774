// The connection to the table: what the table is about, hello with what is known, asks with answers, an echo to notice
// that the table is gone, and trying again. It must not know what the parts mean.

const RETRIES_MS = [250, 500, 1000, 2000];
const GOING_AWAY = 1001;
const TRY_LATER = 1013;
const CROWDED_OUT = 4002;
const CROWDED_MS = 60_000;
const ECHO_EVERY_MS = 5000;
const ECHO_WAIT_MS = 4000;

/** What ended a connection: only the page itself can say that the table is `gone`, which else may be playing on. */
const whyOf = (code, reason) => {
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
 * A connection, not opened yet. `onGone(why)` is told why it has ended, or that it is back (""), `onHello(who)` what is
 * answered to a hello: `{paired, name}`; `inPublic` members are called as they chose to be there.
 */
export const makeLive = ({ store, language, onGone, onHello = () => {}, inPublic = false, path = "/live" }) => {
  const watched = new Set();
  const waiting = new Map();
  const comers = new Set();
  let socket = null;
  let connected = false;
  let attempt = 0;
  let number = 0;
  let spoken = null;
  let retryTimer = 0;
  let echoTimer = 0;

  const isOpen = () => socket?.readyState === WebSocket.OPEN;
  /** Whether the table answers; not while it says goodbye, when nothing can be asked any more. */
  const answers = () => connected && isOpen();
  const send = (message) => socket.send(JSON.stringify(message));

  const settle = (message) => {
    const resolve = waiting.get(message.answer);
    waiting.delete(message.answer);
    resolve?.(message);
  };

  const hear = (event) => {
    const message = JSON.parse(event.data);
    if (message.answer !== undefined) {
      settle(message);
      return;
    }
    store.apply(message);
    if (!connected) {
      connected = true;
      attempt = 0;
      onGone("");
      comers.forEach((come) => come());
      comers.clear();
    }
  };

  const forget = () => {
    socket = null;
    connected = false;
    clearTimeout(echoTimer);
    waiting.forEach((resolve, n) => resolve({ answer: n, ok: false, gone: true, why: "" }));
    waiting.clear();
  };

  const dropped = (from, code, reason) => {
    if (from !== socket) {
      return;
    }
    forget();
    const crowded = code === CROWDED_OUT;
    onGone(whyOf(code, reason));
    retryTimer = setTimeout(open, crowded ? CROWDED_MS : RETRIES_MS[Math.min(attempt, RETRIES_MS.length - 1)]);
    attempt += 1;
  };

  const giveUp = () => {
    const old = socket;
    if (old !== null) {
      old.close();
      dropped(old);
    }
  };

  const echo = async () => {
    clearTimeout(echoTimer);
    if (socket === null || document.hidden) {
      return;
    }
    const asked = socket;
    const late = setTimeout(() => asked === socket && giveUp(), ECHO_WAIT_MS);
    await ask({ do: "echo" });
    clearTimeout(late);
    if (asked === socket) {
      echoTimer = setTimeout(echo, ECHO_EVERY_MS);
    }
  };

  const open = () => {
    clearTimeout(retryTimer);
    const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket = made;
    made.addEventListener("open", () => {
      if (made !== socket) {
        return;
      }
      // What was said in another language is of no use: it is asked for anew.
      const known = language() === spoken ? store.known() : { ...store.known(), boot: null };
      spoken = language();
      ask({ do: "hello", language: spoken, ...known, in_public: inPublic, watch: [...watched] }).then((who) => who.ok && onHello(who));
      echo();
    });
    made.addEventListener("message", (event) => made === socket && hear(event));
    made.addEventListener("close", ({ code, reason }) => dropped(made, code, reason));
  };

  /** Send a request; its answer `{ok, …}`, or `{ok: false, gone: true}` if the table is gone. */
  const ask = (message) => {
    if (!isOpen()) {
      return Promise.resolve({ ok: false, gone: true, why: "" });
    }
    number += 1;
    const n = number;
    const answer = new Promise((resolve) => waiting.set(n, resolve));
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
    again: () => {
      const old = socket;
      forget();
      old?.close();
      open();
    },
    ask,
    connected: answers,
    /** The answer to a request, as soon as the table is there; null once it isn't `wanted()` any more. */
    askOnceThere: async (message, wanted = () => true) => {
      let answer = null;
      while (wanted() && (answer === null || answer.gone)) {
        if (!answers()) {
          await new Promise((come) => comers.add(come));
        } else {
          answer = await ask(message);
        }
      }
      return wanted() ? answer : null;
    },
    /** Ask for the sentences in another language. */
    speak: (wanted) => {
      if (isOpen()) {
        send({ do: "language", language: wanted });
        spoken = wanted;
      }
    },
    /** Want a watched stream (true) or not any more. */
    watch: (stream, wanted) => {
      watched[wanted ? "add" : "delete"](stream);
      if (isOpen()) {
        send({ do: "watch", watch: [...watched] });
      }
    },
  };
};

const RETRY_MS = 1000;

/** A while before something is tried again. */
export const beforeRetry = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/**
 * What the table is about, once there is one. Until then it is asked again and again, and `onAway(why, about)` is awaited:
 * `about` has the languages in which the page may say why.
 */
export const findTable = async (onAway) => {
  for (;;) {
    try {
      const answer = await fetch("/about.json");
      const about = await answer.json();
      if (answer.ok) {
        return about;
      }
      await onAway(about.why, about);
    } catch {
      await onAway("unreached", null); // the page's own process may be gone meanwhile
    }
    await beforeRetry();
  }
};

/** A sheet of faces as SVG text: that of the game that is played, or of another. */
export const fetchSheet = async (path = "/faces.svg") => {
  const answer = await fetch(path);
  return answer.ok ? answer.text() : "<svg/>";
};

/** Let `root` say which start of the table and which revision it shows, and whether it is ready. */
export const markRoot = (store, root) => {
  store.onSettled(({ boot, revision }) => {
    root.dataset.boot = boot ?? "";
    root.dataset.revision = String(revision);
    root.dataset.ready = String(boot !== null);
  });
};
