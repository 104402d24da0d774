// The scoreboard: the score of the team on turn in figures for three metres, or the running window, or what the table
// waits for; beside it all other teams, above whose turn it is and the time left, below the last sentence or what
// holds. It draws what lies open on the table, and must not know the game, nor any code.

import { draw, html, icon } from "../html.js";
import { badge } from "../names.js";
import { drawTimeLeft, gameTimeLeft, latestSentences, makeTicker, marginText, windowLeftUs } from "../table/prompt.js";
import { countChips, drawFigures, drawMark, lineChip } from "../table/rows.js";
import { fitAll } from "./fit.js";

const US_PER_S = 1e6;
/** How long a sentence stays before notes follow in turn, and how long each of these does. */
const NEWS_US = 8 * US_PER_S;
const NOTE_US = 5 * US_PER_S;
/** With more teams than this the others show no quotas and counts. */
const FEW_TEAMS = 4;
/** A screen that always shows the same keeps a shadow of it; so all moves by a few pixels, in a walk of these steps. */
const SHIFT_MS = 120_000;
const SHIFTS_PX = [[0, 0], [2, 1], [3, 3], [1, 2], [-1, 3], [-3, 1], [-2, -2], [0, -3], [2, -1]];

const SCENE_ICON = {
  assigning: "setup",
  enrolment: "cards",
  deckless: "cards",
  check: "ask",
  asks: "ask",
  paused: "pause",
  youngest: "people",
};

/** Returns what is to be shown, from the parts of the page. */
const sceneOf = ({ turn, window, parts, enrolment, alerts }) => {
  const scenes = [
    ["assigning", Boolean(parts?.step)],
    ["window", Boolean(window)],
    ["enrolment", Boolean(enrolment) && !enrolment.over],
    ["deckless", alerts.some(({ kind }) => kind === "deck")],
    ["check", Boolean(turn.checking)],
    ["asks", Boolean(turn.consent)],
    ["paused", turn.paused],
    ["over", turn.over],
    ["youngest", turn.seat === null],
  ];
  return scenes.find(([, holds]) => holds)?.[0] ?? "play";
};

/** Returns the index of the team in large figures, or -1, and all others as `[team, index]` in order. */
const arrange = (teams, scene, turn) => {
  const numbered = teams.map((team, index) => [team, index]);
  if (scene === "over") {
    const placed = numbered.sort(([one], [other]) => (one.place ?? teams.length) - (other.place ?? teams.length));
    return [placed[0][1], placed.slice(1)];
  }
  const hero = scene === "play" ? teams.findIndex((team) => team.seats.includes(turn.seat)) : -1;
  return [hero, [...numbered.slice(hero + 1), ...numbered.slice(0, Math.max(hero, 0))]];
};

/**
 * Returns the sentence at the bottom as `{kind, text, untilUs}`: a refusal or who was first, what was said last, or one
 * of the `notes` after the other.
 */
const footOf = (items, notes, nowUs) => {
  const { sentences, untilUs } = latestSentences(items, nowUs);
  const urgent = sentences.find(({ kind }) => ["refused", "fault", "first"].includes(kind));
  const latest = urgent ?? sentences.find(({ kind }) => kind !== "explained");
  const newestUs = items.filter(({ kind, spoken }) => kind !== "ignored" && spoken !== "").pop()?.at_us ?? -Infinity;
  const isNews = urgent !== undefined || nowUs - newestUs < NEWS_US;
  if (notes.length === 0 || (latest && isNews)) {
    const newsEndUs = notes.length > 0 ? newestUs + NEWS_US : Infinity;
    return { ...(latest ?? { kind: "announced", text: "" }), untilUs: urgent ? untilUs : newsEndUs };
  }
  const at = Math.floor(nowUs / NOTE_US);
  return { ...notes[at % notes.length], untilUs: (at + 1) * NOTE_US };
};

const FOOT_ICON = { refused: "no", fault: "bolt", first: "star", alert: "bell", notice: "bell", hint: "ask" };

/** Draws the scoreboard into `root`. */
export const makeBoard = (root, { store, words, cards, names, speaker, awake }) => {
  const { say } = words;

  const player = (seat, isOnTurn) => html`
    <li class="wall-player" key=${seat} data-turn=${isOnTurn}>
      ${badge(seat)}<span class="visually-hidden">${say("page seat", { seat })} </span>
      <span class="wall-name">${names.player(seat)}</span>
    </li>
  `;
  const drawPlayers = (team, turn) => html`
    <ul class="wall-players" data-fit>
      ${team.seats.map((seat) => player(seat, !turn.over && turn.seat === seat))}
    </ul>
  `;
  const drawColours = (team) => html`
    <span class="wall-colours" aria-hidden="true">${team.seats.map((seat) => html`<span data-seat-of=${seat}></span>`)}</span>
  `;
  const drawMarks = (team) => html`
    <p class="wall-marks" data-fit>
      ${lineChip(words, team)} ${team.marks.map((mark) => drawMark(words, cards, mark))} ${countChips(words, team)}
    </p>
  `;
  const drawScore = (team) => {
    const length = String(team.decisive ? team.decisive.have : team.score).length;
    return html`
      <p class="wall-score" style=${{ "--length": Math.max(2, length) }} data-fit data-score=${team.score}>
        <span class="wall-figures" data-lines>
          ${team.place === 1 && icon("laurel", "icon wall-laurel")}${drawFigures(words, team)}
        </span>
      </p>
    `;
  };
  const drawTeamHero = (team, index, turn) => html`
    <section class="wall-plate hero" key="team" data-hero data-of-team=${index}>
      ${drawColours(team)} ${drawPlayers(team, turn)} ${drawScore(team)} ${drawMarks(team)}
    </section>
  `;
  const drawWindowHero = (window, leftUs, more) => {
    const share = window.whole_us > 0 ? Math.min(1, leftUs / window.whole_us) : 0;
    const seconds = Math.ceil(leftUs / US_PER_S);
    const seats = window.claimant === null ? window.pressed : [window.claimant];
    const margin = window.claimant === null ? "" : marginText(words, window);
    return html`
      <section class="wall-plate hero" key="window" data-hero data-window data-state=${window.claimant === null ? "open" : "claim"}>
        <p class="wall-seconds" style=${{ "--length": Math.max(2, String(seconds).length) }} role="timer" data-fit data-seconds>
          <strong class="digits" data-lines>${seconds}</strong>
        </p>
        <p class="wall-bar" aria-hidden="true"><span style=${{ "--share": share }}></span></p>
        <div class="hero-under">
          ${seats.length > 0 && html`<ul class="wall-players" data-fit>${seats.map((seat) => player(seat, false))}</ul>`}
          <p class="hero-more" data-fit>${seats.length > 0 ? margin : more}</p>
        </div>
      </section>
    `;
  };
  const messageOf = (scene, { parts, enrolment, checking, now }) => {
    switch (scene) {
      case "assigning":
        return [parts.step.answer || parts.step.lacks || parts.step.hint, `${parts.step.seats}`];
      case "enrolment":
        return [enrolment.said || enrolment.name || "", `${enrolment.have}/${enrolment.need}`];
      case "check":
        return [checking?.text || now.more, ""];
      default:
        return [now.more, ""];
    }
  };
  const drawMessageHero = (scene, given) => {
    const [text, figure] = messageOf(scene, given);
    return html`
      <section class="wall-plate hero" key="message" data-hero data-message=${scene}>
        <div class="hero-sign">
          ${icon(SCENE_ICON[scene], "icon hero-icon")}${figure !== "" && html`<strong class="digits hero-count">${figure}</strong>`}
        </div>
        <p class="hero-text" data-fit>${text}</p>
      </section>
    `;
  };

  const drawOther = (team, index, turn, isFew) => html`
    <li class="wall-plate other" key=${index} data-other data-of-team=${index}>
      ${drawColours(team)}
      ${drawPlayers(team, turn)}
      ${isFew ? drawMarks(team) : html`<p class="other-state">${lineChip(words, team)}</p>`}
      ${team.place !== null && html`<p class="other-place">${say("page place", { place: team.place })}</p>`}
      ${drawScore(team)}
    </li>
  `;

  const drawAll = () => {
    const [table, turn, window, parts] = ["table", "turn", "window", "parts"].map(store.get);
    const [alerts, teams] = ["alerts", "teams"].map((name) => store.get(name) ?? []);
    const [enrolment, checking] = ["enrolment", "checking"].map((name) => store.get(name) ?? null);
    const now = store.get("now") ?? { title: "", more: "" };
    if (table === undefined || turn === undefined) {
      draw(root, null);
      return;
    }
    const nowUs = store.nowUs();
    const leftUs = windowLeftUs(window, nowUs);
    const time = gameTimeLeft(turn, nowUs);
    const scene = sceneOf({ turn, window, parts, enrolment, alerts });
    const isAssigning = scene === "assigning";
    const [hero, others] = isAssigning ? [-1, []] : arrange(teams, scene, turn);
    const drawHero = () => {
      if (hero >= 0) {
        return drawTeamHero(teams[hero], hero, turn);
      }
      return scene === "window"
        ? drawWindowHero(window, leftUs, now.more)
        : drawMessageHero(scene, { parts, enrolment, checking, now });
    };
    const sound = speaker.view();
    const hints = [speaker.trouble(), awake.hint()].filter((key) => key !== "");
    const notes = [
      ...hints.map((key) => ({ kind: "hint", text: say(key) })),
      ...alerts.map(({ text }) => ({ kind: "alert", text })),
    ];
    const foot = footOf(store.items("log"), notes, nowUs);
    document.title = say("page title", table);
    Object.assign(root.dataset, { scene, teams: teams.length, others: others.length });
    draw(
      root,
      html`
        <h1 class="visually-hidden">${document.title}</h1>
        <header class="wall-top">
          ${scene === "play" && html`<span class="badge wall-turn" aria-hidden="true" data-seat-of=${turn.seat}>${turn.seat}</span>`}
          <p class="wall-now" data-now data-fit>${isAssigning ? parts.step.task : now.title}</p>
          ${!isAssigning && drawTimeLeft(words, time, turn)} ${sound}
        </header>
        ${drawHero()}
        ${others.length > 0 &&
        html`
          <ol class="others" data-others>
            ${others.map(([team, index]) => drawOther(team, index, turn, others.length < FEW_TEAMS))}
          </ol>
        `}
        <p class="wall-foot" data-foot data-kind=${foot.kind} data-empty=${foot.text === ""}>
          ${icon(FOOT_ICON[foot.kind] ?? "turn")}<span class="wall-foot-words" data-fit>${foot.text}</span>
        </p>
      `,
    );
    const widths = teams.map(({ score, decisive }) => `${decisive?.have ?? ""} ${score}`.length);
    fitAll(root, [scene, ...widths, sound !== false, time !== null].join(" "));
    speaker.tick(scene === "window" ? leftUs : 0);
    tick({ leftUs, untilUs: Math.min(foot.untilUs, time?.untilUs ?? Infinity) });
  };
  const tick = makeTicker(store, drawAll);

  const scheduleDraw = () => store.schedule(drawAll);
  const drawnParts = ["table", "teams", "turn", "window", "now", "names", "pack", "alerts", "parts", "enrolment", "checking"];
  drawnParts.forEach((part) => store.on(part, scheduleDraw));
  store.onItems("log", scheduleDraw);
  speaker.onChange(scheduleDraw);
  awake.onChange(scheduleDraw);
  words.onChange(scheduleDraw);
  addEventListener("resize", scheduleDraw);

  let step = 0;
  setInterval(() => {
    step = (step + 1) % SHIFTS_PX.length;
    const [x, y] = SHIFTS_PX[step];
    root.style.transform = `translate(${x}px, ${y}px)`;
  }, SHIFT_MS);
};
