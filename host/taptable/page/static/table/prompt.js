// The prompt: whose turn it is and what to do, the countdown of a window, the latest sentences, and the ranking at the
// end. The overlay and the scoreboard draw the same parts. It must not know what a window means in the game.

import { draw, embed, html, icon } from "../html.js";
import { badge } from "../names.js";
import { decisiveNote } from "./rows.js";

const US_PER_S = 1e6;
const US_PER_MS = 1000;

/** Returns by how much the first press was ahead, in words; "" if nobody else pressed. */
export const marginText = (words, window) => {
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
    <span class="visually-hidden">${words.say("page pressed-by", { seat })}</span>
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

/** A game's remaining time is shown in minutes, below this limit in seconds. */
const BY_SECONDS_US = 300 * US_PER_S;
const MINUTE_US = 60 * US_PER_S;

/**
 * Returns the remaining time agreed for the game, from the part `turn` at table time `nowUs`: `{leftUs, untilUs}`,
 * `untilUs` being when the text next changes; null if no time was agreed. It stands still in a pause.
 */
export const gameTimeLeft = (turn, nowUs) => {
  if (typeof turn?.ends_us !== "number") {
    return null;
  }
  const leftUs = Math.max(0, turn.ends_us - (turn.stands_us ?? nowUs));
  const stepUs = leftUs > BY_SECONDS_US ? MINUTE_US : US_PER_S;
  const isStill = turn.stands_us !== null || leftUs === 0;
  return { leftUs, untilUs: isStill ? Infinity : nowUs + ((leftUs - 1) % stepUs) + 1 };
};

/** Formats the remaining time: `12 min`, `4:07`, or that this is the last turn. */
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

/** Draws the remaining time, marked when little is left; null if no time was agreed. */
export const drawTimeLeft = (words, time, turn) =>
  time && html`
    <p class="beside gap-xs small semibold digits time-left" title=${words.say("page time-left")} data-time-left
      data-short=${time.leftUs <= BY_SECONDS_US} data-still=${turn.stands_us !== null}>
      ${icon("clock")}<span class="visually-hidden">${words.say("page time-left")}</span><span>${timeText(words, time.leftUs)}</span>
    </p>
  `;

/** Returns how long a `window` still runs at table time `nowUs`, in µs; 0 without one. */
export const windowLeftUs = (window, nowUs) => (window ? Math.max(0, window.ends_us - nowUs) : 0);

/** Draws the countdown of a window, or an icon for whose turn it is. */
export const drawTurnIcon = (words, { turn, window, leftUs }) => {
  if (window) {
    return drawWindow(words, window, leftUs);
  }
  const name = turn?.over ? "laurel" : turn?.paused ? "pause" : null;
  const seat = turn?.seat ?? null;
  return html`
    <div class="prompt-icon" aria-hidden="true">
      ${name !== null ? icon(name) : seat !== null && html`<span class="badge" data-seat-of=${seat}>${seat}</span>`}
    </div>
  `;
};

/**
 * Makes `tick({leftUs, untilUs})`: it calls `draw()` in the next frame while `leftUs` > 0, else at table time
 * `untilUs`.
 */
export const makeTicker = (store, draw) => {
  let timer = 0;
  let ticking = false;
  const drawNextFrame = () => {
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
      drawNextFrame();
    } else if (untilUs < Infinity && store.rate() > 0) {
      timer = setTimeout(draw, (untilUs - store.nowUs()) / US_PER_MS / store.rate() + 1);
    }
  };
};

const FIRST_SHOWN_S = 20;
const REFUSED_SHOWN_S = 10;
const EXPLAINED_SHOWN_S = 20;
const SENTENCE_ICON = { first: "star", refused: "no", fault: "bolt", notice: "bell", explained: "ask" };

/**
 * Returns the log's sentences to show at table time `nowUs`, as `{sentences, untilUs}`. `sentences` are `{kind, text}`:
 * who was first, then a refusal or the newest sentence, then an explanation. They hold until `untilUs` (Infinity: until
 * the next sentence).
 */
export const latestSentences = (items, nowUs) => {
  const spoken = items.filter((item) => item.kind !== "ignored" && item.spoken !== "");
  const newest = spoken[spoken.length - 1];
  const lastWhere = (matches) => spoken.filter(matches).pop();
  const isFresh = (item, shownS) => item !== undefined && nowUs - item.at_us < shownS * US_PER_S;
  const opened = lastWhere((item) => item.type === "window-opened");
  const claim = lastWhere((item) => item.type === "claim-given");
  const refused = lastWhere((item) => item.kind === "refused" || item.kind === "fault");
  const announced = lastWhere((item) => item.kind === "announced");
  const newestExplained = lastWhere((item) => item.explained);
  const first = isFresh(claim, FIRST_SHOWN_S) && claim.n > (opened?.n ?? -1) ? claim : null;
  const refusal = isFresh(refused, REFUSED_SHOWN_S) && refused.n > (announced?.n ?? -1) ? refused : null;
  const latest = refusal ?? (newest === first ? null : (newest ?? null));
  const explained = isFresh(newestExplained, EXPLAINED_SHOWN_S) ? newestExplained : null;
  const endUs = (item, shownS) => (item === null ? Infinity : item.at_us + shownS * US_PER_S);
  const shown = [
    first && { kind: "first", text: first.text },
    latest && { kind: latest.kind, text: latest.text },
    explained && { kind: "explained", text: explained.explained },
  ];
  return {
    sentences: shown.filter((each) => each !== null),
    untilUs: Math.min(endUs(first, FIRST_SHOWN_S), endUs(refusal, REFUSED_SHOWN_S), endUs(explained, EXPLAINED_SHOWN_S)),
  };
};

/** Draws the latest sentences. Screen readers get them from the live regions. */
const drawLatest = (sentences) => html`
  <div class="latest" data-latest data-count=${sentences.length}>
    ${sentences.map(
      ({ kind, text }) => html`
        <p class="beside small latest-sentence" data-kind=${kind}>${icon(SENTENCE_ICON[kind] ?? "turn")}<span>${text}</span></p>
      `,
    )}
  </div>
`;

/** Draws the `teams` that have a place, the first one first. */
export const drawRanking = (words, names, teams) => {
  const player = (seat) => html`
    <span class="ranking-player">
      ${badge(seat)}<span class=${names.nameAt(seat) === "" ? "visually-hidden" : null}>${names.player(seat)}</span>
    </span>
  `;
  const row = (team) => html`
    <li class="cluster digits" data-place=${team.place}>
      ${icon("laurel", "icon laurel")}
      <span class="ranking-place">${words.say("page place", { place: team.place })}</span>
      <span class="ranking-players">${team.seats.map(player)}</span>
      ${decisiveNote(words, team)}
      <span class="ranking-score">${team.score} ${words.say(`unit ${team.unit}`)}</span>
    </li>
  `;
  const placed = teams.filter((team) => team.place !== null).sort((one, other) => one.place - other.place);
  return html`<ol class="ranking">${placed.map(row)}</ol>`;
};

/** Returns when the refused card would count; "" without a refusal, or if its sentence says so itself. */
const whenRefusedCounts = (sentences, log) => {
  const refused = sentences.find(({ kind }) => kind === "refused");
  return log.findLast(({ text }) => text === refused?.text)?.when ?? "";
};

/** Draws the prompt into `root`. */
export const makePrompt = (root, page) => {
  const { store, slots, words, names } = page;

  const drawAll = () => {
    const [turn, window, course] = ["turn", "window", "course"].map(store.get);
    const now = store.get("now") ?? { title: "", more: "" };
    const nowUs = store.nowUs();
    const leftUs = windowLeftUs(window, nowUs);
    const time = gameTimeLeft(turn, nowUs);
    const { sentences, untilUs } = latestSentences(store.items("log"), nowUs);
    const guidance = whenRefusedCounts(sentences, store.items("log")) || store.get("counts")?.sentence || now.more;
    const over = turn?.over === true;
    draw(
      root,
      html`
        <div class="prompt-lead">${drawTurnIcon(words, { turn, window, leftUs })} ${drawTimeLeft(words, time, turn)}</div>
        <div class="prompt-words">
          <p class="now" data-now data-paused=${turn?.paused ? "true" : null}>
            <strong class="now-title">${now.title}</strong><span class="soft now-more">${guidance}</span>
          </p>
          ${embed(slots.prompt)}
        </div>
        ${drawLatest(sentences)} ${over && drawRanking(words, names, store.get("teams") ?? [])}
        ${over &&
        course &&
        html`<a class="tool see-how" href=${`#games/${course.id}`} data-see-how>${words.say("page see-how")}</a>`}
      `,
    );
    tick({ leftUs, untilUs: Math.min(untilUs, time?.untilUs ?? Infinity) });
  };
  const tick = makeTicker(store, drawAll);

  const scheduleDraw = () => store.schedule(drawAll);
  ["window", "now", "counts", "turn", "teams", "course", "names"].forEach((part) => store.on(part, scheduleDraw));
  store.onItems("log", scheduleDraw);
};
