// The prompt: the one place that says whose turn it is and what now, with the countdown of a window, what was said last,
// and the ranking at the end. An extension may speak in its place to who plays here. It must not know the game behind the
// window.

import { drawSign, drawTimeLeft, leftOf, makeTicking, timeLeft } from "./countdown.js";
import { draw, hold, html } from "./html.js";
import { drawLately, latest } from "./lately.js";
import { drawRanking } from "./ranking.js";

/** When what was just refused would count; "" where nothing was, or it says so itself. */
const whenOf = (shown, log) => {
  const refused = shown.find(({ kind }) => kind === "refused");
  return log.findLast(({ text }) => text === refused?.text)?.when ?? "";
};

/** The prompt in `root`. */
export const makePrompt = (root, page) => {
  const { store, slots, words, names } = page;

  const drawAll = () => {
    const [turn, window, course] = ["turn", "window", "course"].map(store.get);
    const now = store.get("now") ?? { title: "", more: "" };
    const nowUs = store.nowUs();
    const leftUs = leftOf(window, nowUs);
    const time = timeLeft(turn, nowUs);
    const { shown, untilUs } = latest(store.items("log"), nowUs);
    const guided = whenOf(shown, store.items("log")) || store.get("counts")?.sentence || now.more;
    const over = turn?.over === true;
    draw(
      root,
      html`
        <div class="prompt-lead">${drawSign(words, { turn, window, leftUs })} ${drawTimeLeft(words, time, turn)}</div>
        <div class="prompt-words">
          <p class="now" data-now data-paused=${turn?.paused ? "true" : null}>
            <strong class="now-title">${now.title}</strong><span class="soft now-more">${guided}</span>
          </p>
          ${hold(slots.prompt)}
        </div>
        ${drawLately(shown)} ${over && drawRanking(words, names, store.get("teams") ?? [])}
        ${over &&
        course &&
        html`<a class="tool see-how" href=${`#games/${course.id}`} data-see-how>${words.say("page see-how")}</a>`}
      `,
    );
    tick({ leftUs, untilUs: Math.min(untilUs, time?.untilUs ?? Infinity) });
  };
  const tick = makeTicking(store, drawAll);

  const soon = () => store.soon(drawAll);
  ["window", "now", "counts", "turn", "teams", "course", "names"].forEach((part) => store.on(part, soon));
  store.onItems("log", soon);
};
