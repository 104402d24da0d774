// What a test wants to know of a page and the page itself doesn't say: in which frame a message came, in which one the
// page showed it, what it answered. Put into the page before anything of its own runs.
{
  const watched = { frame: 0, came: [], applied: [], answers: [], announced: 0, logged: 0 };
  window.watched = watched;

  const tick = () => {
    watched.frame += 1;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);

  // until a function of what is given holds: looked at in each frame, and in a page that has none ten times a second
  watched.until = (holds, given, deadlineMs) =>
    new Promise((resolve) => {
      const lateMs = performance.now() + deadlineMs;
      let settled = false;
      const settle = (held) => {
        settled = true;
        clearInterval(hidden);
        resolve(held);
      };
      const look = () => (holds(given) ? settle(true) : performance.now() > lateMs && settle(false));
      const lookEachFrame = () => {
        look();
        if (!settled) requestAnimationFrame(lookEachFrame);
      };
      const hidden = setInterval(look, 100);
      lookEachFrame();
    });

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      // listens before the page does
      this.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        const said = message.streams?.log?.items ?? [];
        watched.logged += said.length;
        watched.announced += said.filter((each) => each.kind === "announced").length;
        watched.came.push({
          frame: watched.frame,
          revision: message.revision ?? null,
          answer: message.answer ?? null,
          log: said.length,
        });
      });
    }
  };

  new MutationObserver((records) => {
    const answers = records.map(({ target }) => target).filter((each) => each.dataset?.answer && each.childElementCount);
    for (const answer of new Set(answers)) {
      const { answer: seat, kind } = answer.dataset;
      const part = (hook) => answer.querySelector(hook)?.textContent ?? "";
      watched.answers.push({
        seat: Number(seat), kind, text: answer.textContent, rule: part(".said-rule"), legal: part(".said-legal"),
      });
    }
    if (records.some((record) => record.attributeName === "data-revision")) {
      watched.applied.push({ frame: watched.frame, revision: Number(document.documentElement.dataset.revision) });
    }
  }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
}
