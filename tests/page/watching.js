// What a test wants to know of a page and the page itself doesn't say: in which frame a message came, in which one the
// page showed it, what it answered. Put into the page before anything of its own runs.
{
  const watched = { frame: 0, came: [], applied: [], answers: [], sent: [], announced: 0, logged: 0 };
  window.watched = watched;

  // The page's own clock stands: its table time is what the table told last, and nothing passes before it was seen.
  const nowMs = performance.now.bind(performance);
  performance.now = () => 0;

  // frames are counted from the arrival of a message until it is shown, so that an idle page is idle; or all of them
  let awaited = 0;
  let counting = false;
  let all = false;
  const count = () => {
    watched.frame += 1;
    counting = all || awaited > Number(document.documentElement.dataset.revision);
    if (counting) requestAnimationFrame(count);
  };
  const expect = (revision) => {
    awaited = revision;
    if (!counting) requestAnimationFrame(count);
    counting = true;
  };
  watched.countAllFrames = () => {
    all = true;
    expect(awaited);
  };

  // until a function of what is given holds: looked at in each frame, and in a page that has none ten times a second
  watched.until = (holds, given, deadlineMs) =>
    new Promise((resolve) => {
      const lateMs = nowMs() + deadlineMs;
      let settled = false;
      const settle = (held) => {
        settled = true;
        clearInterval(hidden);
        resolve(held);
      };
      const look = () => (holds(given) ? settle(true) : nowMs() > lateMs && settle(false));
      const lookEachFrame = () => {
        look();
        if (!settled) requestAnimationFrame(lookEachFrame);
      };
      const hidden = setInterval(look, 100);
      lookEachFrame();
    });

  watched.nextFrame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));

  // What is told, but for answers, waits while `held` is a list, as on a slow network, and comes all at once after it.
  let held = null;
  watched.hold = () => {
    held = [];
  };
  watched.release = () => {
    const waiting = held;
    held = null;
    waiting.forEach(([socket, data]) => socket.dispatchEvent(new MessageEvent("message", { data })));
  };

  // True once the table, and the demo where there is one, has heard all that the page asked for, and the page all that
  // came of it at once; false when a connection ends before, or too late: an echo that was lost with it is never answered.
  const MINE = "watched";
  const last = new Map();
  const heard = new Map();
  const isHeard = (socket, deadlineMs) =>
    new Promise((resolve) => {
      heard.set(socket, () => resolve(true));
      socket.addEventListener("close", () => resolve(false));
      setTimeout(() => resolve(false), deadlineMs);
      if (socket.readyState === Plain.OPEN) socket.send(JSON.stringify({ do: "echo", n: MINE }));
      else resolve(false);
    });
  watched.heard = async (deadlineMs) => {
    const each = await Promise.all([...last.values()].map((socket) => isHeard(socket, deadlineMs)));
    return each.every(Boolean);
  };

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    send(text) {
      const { do: verb } = JSON.parse(text);
      if (verb !== "echo") watched.sent.push(verb); // by which the page notices that the table is gone
      super.send(text);
    }
    constructor(...given) {
      super(...given);
      const { pathname } = new URL(this.url);
      last.set(pathname, this);
      // listens before the page does
      this.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        const isAnswer = message.answer !== undefined;
        if (message.answer === MINE || (held !== null && !isAnswer)) {
          event.stopImmediatePropagation();
          if (isAnswer) heard.get(this)();
          else held.push([this, event.data]);
          return;
        }
        if (pathname !== "/live") return; // what the demo tells has revisions of its own
        const said = message.streams?.log?.items ?? [];
        watched.logged += said.length;
        watched.announced += said.filter((each) => each.kind === "announced").length;
        watched.came.push({
          frame: watched.frame,
          revision: message.revision ?? null,
          answer: message.answer ?? null,
          log: said.length,
        });
        if (!isAnswer) expect(message.revision);
      });
    }
  };

  new MutationObserver((records) => {
    const answers = records.map(({ target }) => target).filter((each) => each.dataset?.answer && each.childElementCount);
    for (const answer of new Set(answers)) {
      const { answer: seat, kind } = answer.dataset;
      const part = (hook) => answer.querySelector(hook)?.textContent ?? "";
      watched.answers.push({
        seat: Number(seat), kind, text: answer.textContent, rule: part(".answer-rule"), when: part(".answer-when"),
      });
    }
    if (records.some((record) => record.attributeName === "data-revision")) {
      watched.applied.push({ frame: watched.frame, revision: Number(document.documentElement.dataset.revision) });
    }
  }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
}
