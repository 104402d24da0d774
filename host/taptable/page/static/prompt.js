// The prompt: the one place that says whose turn it is and what now, with the countdown of a window, what was said last,
// and the ranking at the end. An extension may speak in its place to who plays here. It draws frame by frame only while
// a window runs. It must not know the game behind the window.

import { draw, hold, html } from "./html.js";
import { drawLately, latest } from "./lately.js";
import { badge } from "./names.js";
import { decisiveNote } from "./rows.js";
import { sign } from "./signs.js";

const US_PER_S = 1e6;
const US_PER_MS = 1000;

/** By how much somebody was first, in words; "" if nobody else had pressed. */
const marginText = (words, window) => {
  if (window.tied.length > 0) {
    return words.say("page tied", { tied: window.tied.join(", ") });
  }
  if (window.margin_us === null) {
    return "";
  }
  return words.say("page margin", {
    margin: words.number(window.margin_us / US_PER_MS, 1),
    uncertainty: words.number(window.uncertainty_us / US_PER_MS, 1),
  });
};

const drawWindow = (words, window, leftUs) => {
  const share = window.whole_us > 0 ? Math.min(1, leftUs / window.whole_us) : 0;
  const claimed = window.claimant !== null;
  const pressed = (seat) => html`
    ${badge(seat)}
    <span class="unseen">${words.say("page pressed-by", { seat })}</span>
  `;
  return html`
    <div class="beside window" data-window data-state=${claimed ? "claim" : "open"} data-kind=${window.kind}>
      <div class="countdown">
        <svg viewBox="0 0 64 64" class="countdown-ring" aria-hidden="true">
          <circle class="countdown-track" cx="32" cy="32" r="27" pathLength="1" />
          <circle class="countdown-left" cx="32" cy="32" r="27" pathLength="1" stroke-dashoffset=${1 - share} />
        </svg>
        <span class="strong digits countdown-seconds" aria-hidden="true">${Math.ceil(leftUs / US_PER_S)}</span>
      </div>
      <div class="window-words">
        <p class="small semibold window-text">${claimed ? marginText(words, window) : ""}</p>
        <p class="window-pressed">${window.pressed.map(pressed)}</p>
      </div>
    </div>
  `;
};

const drawRanking = (words, names, teams) => {
  const player = (seat) => html`
    <span class="ranking-player">
      ${badge(seat)}<span class=${names.of(seat) === "" ? "unseen" : null}>${names.player(seat)}</span>
    </span>
  `;
  const row = (team) => html`
    <li class="cluster digits" data-place=${team.place}>
      ${sign("laurel", "sign laurel")}
      <span class="ranking-place">${words.say("page place", { place: team.place })}</span>
      <span class="ranking-players">${team.seats.map(player)}</span>
      <span class="ranking-score">${team.score} ${words.say(`unit ${team.unit}`)}</span>
      ${decisiveNote(words, team)}
    </li>
  `;
  const placed = teams.filter((team) => team.place !== null).sort((one, other) => one.place - other.place);
  return html`<ol class="ranking">${placed.map(row)}</ol>`;
};

/** What stands before the words: the countdown, or a sign of whose turn it is. */
const drawSign = (words, { turn, window, leftUs }) => {
  if (window) {
    return drawWindow(words, window, leftUs);
  }
  const name = turn?.over ? "laurel" : turn?.paused ? "pause" : null;
  const seat = turn?.seat ?? null;
  return html`
    <div class="prompt-sign" aria-hidden="true">
      ${name !== null ? sign(name) : seat !== null && html`<span class="badge" data-seat-of=${seat}>${seat}</span>`}
    </div>
  `;
};

/** When what was just refused would count; "" where nothing was, or it says so itself. */
const whenOf = (shown, log) => {
  const refused = shown.find(({ kind }) => kind === "refused");
  return log.findLast(({ text }) => text === refused?.text)?.when ?? "";
};

/** The prompt in `root`. */
export const makePrompt = (root, page) => {
  const { store, slots, words, names } = page;
  let timer = 0;
  let ticking = false;

  const drawAll = () => {
    const [turn, window, course] = ["turn", "window", "course"].map(store.get);
    const now = store.get("now") ?? { title: "", more: "" };
    const nowUs = store.nowUs();
    const leftUs = window ? Math.max(0, window.ends_us - nowUs) : 0;
    const { shown, untilUs } = latest(store.items("log"), nowUs);
    const guided = whenOf(shown, store.items("log")) || store.get("counts")?.sentence || now.more;
    const over = turn?.over === true;
    draw(
      root,
      html`
        ${drawSign(words, { turn, window, leftUs })}
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
    clearTimeout(timer);
    if (leftUs > 0 && store.speed() > 0) {
      keepTicking();
    } else if (untilUs < Infinity) {
      timer = setTimeout(drawAll, (untilUs - nowUs) / US_PER_MS / store.speed() + 1);
    }
  };
  const keepTicking = () => {
    if (!ticking) {
      ticking = true;
      requestAnimationFrame(() => {
        ticking = false;
        drawAll();
      });
    }
  };

  const soon = () => store.soon(drawAll);
  ["window", "now", "counts", "turn", "teams", "course", "names"].forEach((part) => store.on(part, soon));
  store.onItems("log", soon);
};
