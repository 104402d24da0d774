// The prompt: the one place that says whose turn it is and what now, with the countdown of a window, what was said
// last, and the ranking at the end; the overlay draws the same parts. It must not know the game behind the window.

import { draw, hold, html, sign } from "../html.js";
import { badge } from "../names.js";
import { decisiveNote } from "./rows.js";

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
    if (leftUs > 0 && store.rate() > 0) {
      keepTicking();
    } else if (untilUs < Infinity && store.rate() > 0) {
      timer = setTimeout(draw, (untilUs - store.nowUs()) / US_PER_MS / store.rate() + 1);
    }
  };
};

const FIRST_KEPT_S = 20;
const REFUSED_KEPT_S = 10;
const EXPLAINED_KEPT_S = 20;
const SAID_SIGN = { first: "star", refused: "no", fault: "bolt", notice: "bell", explained: "ask" };

/**
 * The sentences to be shown of a log at table time `nowUs`: `{kind, text}`, who was first before what was refused or said
 * last, and that before what is explained; and until when that holds, in µs (Infinity: until there is more).
 */
export const latest = (items, nowUs) => {
  const heard = items.filter((item) => item.kind !== "ignored" && item.spoken !== "");
  const newest = heard[heard.length - 1];
  const last = (wanted) => heard.filter(wanted).pop();
  const fresh = (item, keptS) => item !== undefined && nowUs - item.at_us < keptS * US_PER_S;
  const opened = last((item) => item.type === "window-opened");
  const claim = last((item) => item.type === "claim-given");
  const refused = last((item) => item.kind === "refused" || item.kind === "fault");
  const counted = last((item) => item.kind === "announced");
  const newestExplained = last((item) => item.explained);
  const first = fresh(claim, FIRST_KEPT_S) && claim.n > (opened?.n ?? -1) ? claim : null;
  const no = fresh(refused, REFUSED_KEPT_S) && refused.n > (counted?.n ?? -1) ? refused : null;
  const said = no ?? (newest === first ? null : (newest ?? null));
  const explained = fresh(newestExplained, EXPLAINED_KEPT_S) ? newestExplained : null;
  const until = (item, keptS) => (item === null ? Infinity : item.at_us + keptS * US_PER_S);
  const shown = [
    first && { kind: "first", text: first.text },
    said && { kind: said.kind, text: said.text },
    explained && { kind: "explained", text: explained.explained },
  ];
  return {
    shown: shown.filter((each) => each !== null),
    untilUs: Math.min(until(first, FIRST_KEPT_S), until(no, REFUSED_KEPT_S), until(explained, EXPLAINED_KEPT_S)),
  };
};

/** The newest sentences; screen readers hear them from elsewhere. */
const drawLately = (shown) => html`
  <div class="lately" data-lately data-count=${shown.length}>
    ${shown.map(
      ({ kind, text }) => html`
        <p class="beside small lately-said" data-kind=${kind}>${sign(SAID_SIGN[kind] ?? "turn")}<span>${text}</span></p>
      `,
    )}
  </div>
`;

/** The `teams` that have a place, the first one first. */
export const drawRanking = (words, names, teams) => {
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
      ${decisiveNote(words, team)}
      <span class="ranking-score">${team.score} ${words.say(`unit ${team.unit}`)}</span>
    </li>
  `;
  const placed = teams.filter((team) => team.place !== null).sort((one, other) => one.place - other.place);
  return html`<ol class="ranking">${placed.map(row)}</ol>`;
};

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
