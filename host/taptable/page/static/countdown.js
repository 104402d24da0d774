// The sign of what is waited for: the countdown of a window with who has pressed and by how much they were first, or whose
// turn it is; and drawing it frame by frame while a window runs. It must not know the game behind the window.

import { html } from "./html.js";
import { badge } from "./names.js";
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

/** How long a `window` still runs at table time `nowUs`, in µs; 0 without one. */
export const leftOf = (window, nowUs) => (window ? Math.max(0, window.ends_us - nowUs) : 0);

/** What stands before the words: the countdown, or a sign of whose turn it is. */
export const drawSign = (words, { turn, window, leftUs }) => {
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

/**
 * A clock for what is drawn by table time: `tick({leftUs, untilUs})` lets `draw()` be called in the next frame while
 * `leftUs` of a window are left, else when it is `untilUs`.
 */
export const makeTicking = (store, draw) => {
  let timer = 0;
  let ticking = false;
  const keepTicking = () => {
    if (!ticking) {
      ticking = true;
      requestAnimationFrame(() => {
        ticking = false;
        draw();
      });
    }
  };
  return ({ leftUs, untilUs }) => {
    clearTimeout(timer);
    if (leftUs > 0 && store.speed() > 0) {
      keepTicking();
    } else if (untilUs < Infinity) {
      timer = setTimeout(draw, (untilUs - store.nowUs()) / US_PER_MS / store.speed() + 1);
    }
  };
};
