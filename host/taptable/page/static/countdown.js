// The sign of what is waited for: the countdown of a window with who has pressed and by how much they were first, or whose
// turn it is, with what is left of an agreed time; and drawing it as time passes, frame by frame while a window runs. It
// must not know the game behind the window.

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

/** What is left of a game's time is shown in minutes, and from here on in seconds. */
const BY_SECONDS_US = 300 * US_PER_S;
const MINUTE_US = 60 * US_PER_S;

/**
 * What is left of the time that was agreed for the game, by its `turn` at table time `nowUs`: `{leftUs, untilUs}`, shown
 * as it is until then; null where none was agreed. In a pause it stands still.
 */
export const timeLeft = (turn, nowUs) => {
  if (typeof turn?.ends_us !== "number") {
    return null;
  }
  const leftUs = Math.max(0, turn.ends_us - (turn.stands_us ?? nowUs));
  const stepUs = leftUs > BY_SECONDS_US ? MINUTE_US : US_PER_S;
  const stands = turn.stands_us !== null || leftUs === 0;
  return { leftUs, untilUs: stands ? Infinity : nowUs + ((leftUs - 1) % stepUs) + 1 };
};

/** The time left as text: `12 min`, `4:07`, or that this is the last turn. */
const timeText = (words, leftUs) => {
  if (leftUs === 0) {
    return words.say("page last-turn");
  }
  if (leftUs > BY_SECONDS_US) {
    return words.say("page game-minutes", { minutes: Math.ceil(leftUs / MINUTE_US) });
  }
  const seconds = Math.ceil(leftUs / US_PER_S);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** The time left in the page's words, marked once it runs out; null where no time was agreed. */
export const drawTimeLeft = (words, time, turn) =>
  time && html`
    <p class="beside gap-xs small semibold digits time-left" title=${words.say("page time-left")} data-time-left
      data-short=${time.leftUs <= BY_SECONDS_US} data-stands=${turn.stands_us !== null}>
      ${sign("clock")}<span class="unseen">${words.say("page time-left")}</span><span>${timeText(words, time.leftUs)}</span>
    </p>
  `;

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
    } else if (untilUs < Infinity && store.speed() > 0) {
      timer = setTimeout(draw, (untilUs - store.nowUs()) / US_PER_MS / store.speed() + 1);
    }
  };
};
