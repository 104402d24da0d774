// The replay of a game: a slider with buttons, the sentence of the step, and the table after it, drawn like the running
// one with the texts and faces of its own game. Steps are fetched on demand; late answers are stored, not shown. It
// must not know the rules.

import { insertSheet, makeCards } from "../../cards.js";
import { draw, el, html, icon, pick } from "../../html.js";
import { fetchSheet } from "../../live.js";
import { formatDuration, makeNames } from "../../names.js";
import { makeStore } from "../../store.js";
import { makeTable } from "../../table/table.js";
import { makeWords } from "../../words.js";

/** Slots for a table without hands: empty, with seat 1 at the bottom. */
const noSlots = () => ({
  centre: el("div", { class: "centre-slot" }),
  prompt: el("div", { class: "prompt-slot" }),
  seat: () => el("div", { class: "seat-slot" }),
  ownSeat: () => 1,
  isMine: () => false,
  onSeatsChange: () => {},
});

/** Loads another game's texts and faces; `sheets` holds the faces. */
const loadOtherGame = (game, page, store, sheets) => {
  const words = makeWords(game);
  const prefix = `${game}-`;
  const sheet = el("div", {});
  sheets.append(sheet);
  const faces = async () => insertSheet(await fetchSheet(`/faces/${game}.svg`), sheet, prefix);
  page.words.onChange((language) => words.use(language).then(store.redraw));
  return {
    words,
    cards: makeCards(words, () => store.get("pack"), prefix),
    ready: Promise.all([words.use(page.words.language()), faces()]),
  };
};

/** Makes a stage for one kind of game: `{cloth, store, ready}`. Apply parts to the store once `ready` resolves. */
const makeStage = (page, game, sheets) => {
  const store = makeStore();
  store.setRate(0); // a window stays as it was at that step
  const cloth = el("div", { class: "table replay-table", role: "group", data: { replayTable: "" } });
  const { words, cards, ready } = game === page.about.game
    ? { words: page.words, cards: makeCards(page.words, () => store.get("pack")), ready: Promise.resolve() }
    : loadOtherGame(game, page, store, sheets);
  const names = makeNames({ store, words });
  makeTable(cloth, { store, words, cards, names, about: { ...page.about, extension: null }, slots: noSlots() });
  return { cloth, store, ready };
};

/** Returns `stages(game)`, which makes each game's stage on first use. */
export const makeStages = (page) => {
  const sheets = el("div", { class: "sheet", hidden: true });
  document.body.append(sheets);
  const stagesByGame = new Map();
  return (game) => {
    if (!stagesByGame.has(game)) {
      stagesByGame.set(game, makeStage(page, game, sheets));
    }
    return stagesByGame.get(game);
  };
};

const MAX_POSITIONS = 300;
const STEPS_PER_PAGE = 60;
const STEPS_AROUND = 3;
const STEP_MS = 1600;
const SPEEDS = [1, 2, 4];
const ICON = { announced: "turn", refused: "no", ignored: "nothing", fault: "bolt" };

/** Makes the replay: `{element, open(game, step), begin, stop, focus, step, onStep(listener)}`. */
export const makeReplay = (page) => {
  const { live, words, about, showNote } = page;
  const { say } = words;
  const stages = makeStages(page);
  let stage = stages(about.game);
  const controls = el("div", { class: "stack gap-xs replay-controls" });
  const near = el("div", { class: "replay-near" });
  const element = el("div", { class: "stack replay", data: { extension: "false" } }, controls, stage.cloth, near);

  let game = null;
  let targetStep = 0;
  let isOpened = false;
  let isAsking = false;
  let playTimer = null;
  let speed = SPEEDS[0];
  /** `aria-live` of the sentence: off while the slider announces itself or the replay plays. */
  let ariaLive = "off";
  let positions = new Map();
  let pages = new Map();
  let revision = 0;
  let shownEntry = null;
  let onStep = () => {};

  const lastStep = () => game.steps - 1;

  const storePosition = (number, answer) => {
    positions.set(number, answer);
    if (positions.size > MAX_POSITIONS) {
      positions.delete(positions.keys().next().value);
    }
  };

  /** Returns a step's log entry, if it has been loaded. */
  const entryOf = (number) =>
    positions.get(number)?.step ?? pages.get(Math.floor(number / STEPS_PER_PAGE))?.[number % STEPS_PER_PAGE];

  // Unavailable buttons keep the keyboard focus: a disabled one would lose it.
  const button = (name, iconName, wordKey, isEnd, onClick) => html`
    <button class="tool" type="button" title=${say(wordKey)} aria-label=${say(wordKey)} aria-disabled=${isEnd}
      data-do=${name} onClick=${onClick}>
      ${icon(iconName)}
    </button>
  `;
  const drawNearStep = (number) => html`
    <li key=${number}>
      <button class="near-step" type="button" aria-current=${number === targetStep ? "step" : null} data-step=${number}
        onClick=${() => go(number, "button")}>
        <span class="soft digits">${number}</span><span>${entryOf(number).text}</span>
      </button>
    </li>
  `;
  const drawControls = () => {
    const last = lastStep();
    const step = entryOf(targetStep);
    shownEntry = step ?? shownEntry; // the old entry stays until the new one has arrived
    const [isFirst, isLast] = [targetStep === 0, targetStep === last];
    const [playKey, playSign] = playTimer === null ? ["page replay-play", "turn"] : ["page replay-stop", "pause"];
    const from = Math.max(0, Math.min(targetStep - STEPS_AROUND, last - 2 * STEPS_AROUND));
    const numbers = Array.from({ length: Math.min(2 * STEPS_AROUND + 1, game.steps) }, (_, at) => from + at);
    draw(
      controls,
      html`
        <input id="replay-slider" class="replay-slider" type="range" min="0" max=${last} step="1" value=${targetStep}
          aria-label=${say("page replay-step")} data-replay
          aria-valuetext=${say("page replay-told", { number: targetStep, last, text: step?.text ?? "" })}
          onInput=${({ target }) => stopAndGo(Number(target.value), "slider")} />
        <p class="beside apart soft digits">
          <output for="replay-slider">${say("page replay-of", { number: targetStep, last })}</output>
          <span>${shownEntry === null ? "" : formatDuration(shownEntry.at_us)}</span>
        </p>
        <div class="cluster gap-xs replay-buttons">
          ${button("first", "first", "page replay-first", isFirst, () => stopAndGo(0, "button"))}
          ${button("back", "previous", "page replay-back", isFirst, () => stopAndGo(targetStep - 1, "button"))}
          ${button("play", playSign, playKey, null, playOrStop)}
          ${button("on", "next", "page replay-on", isLast, () => stopAndGo(targetStep + 1, "button"))}
          ${button("last", "last", "page replay-last", isLast, () => stopAndGo(last, "button"))}
          <label class="pick">
            <span class="visually-hidden">${say("page replay-speed")}</span>
            ${pick(speed, SPEEDS.map((each) => [each, `${each}×`]), (value) => (speed = Number(value)), { "data-speed": "" })}
          </label>
        </div>
        <p class="remark beside replay-entry" aria-live=${ariaLive} data-entry data-kind=${shownEntry?.kind}>
          ${shownEntry !== null && icon(ICON[shownEntry.kind] ?? "bell")}<span>${shownEntry?.text}</span>
        </p>
      `,
    );
    draw(
      near,
      html`
        <ol aria-label=${say("page replay-near")} data-near>
          ${numbers.filter((number) => entryOf(number) !== undefined).map(drawNearStep)}
        </ol>
      `,
    );
  };

  /** Loads the log entries around the target step. */
  const loadEntriesAround = async () => {
    const requestedGame = game;
    const pageNumbers = new Set(
      [targetStep - STEPS_AROUND, targetStep + STEPS_AROUND].map((number) =>
        Math.floor(Math.max(0, Math.min(number, lastStep())) / STEPS_PER_PAGE),
      ),
    );
    for (const pageNumber of pageNumbers) {
      if (!pages.has(pageNumber)) {
        pages.set(pageNumber, []);
        const answer = await live.ask({ do: "steps", id: requestedGame.id, from: pageNumber * STEPS_PER_PAGE });
        if (requestedGame !== game) {
          return;
        }
        if (!answer.ok) {
          pages.delete(pageNumber);
          return;
        }
        pages.set(pageNumber, answer.steps);
      }
    }
    drawControls();
  };

  const drawTable = (number) => {
    const { step, parts } = positions.get(number);
    revision += 1;
    const message = {
      boot: `game ${game.id}`,
      revision,
      at_us: parts.at_us,
      parts: { ...parts.shown, names: game.names },
    };
    const shownStage = stage;
    shownStage.ready.then(() => {
      if (message.revision === revision) {
        shownStage.store.apply(message);
        shownStage.store.schedule(() => (shownStage.cloth.dataset.step = step.n));
      }
    });
    drawControls();
    onStep(number);
  };

  /** Loads positions until the target is shown. Targets that were overtaken meanwhile are skipped. */
  const loadTarget = async () => {
    if (isAsking) {
      return;
    }
    isAsking = true;
    const requestedGame = game;
    while (game === requestedGame && isOpened && !positions.has(targetStep)) {
      const number = targetStep;
      const answer = await live.ask({ do: "position", id: requestedGame.id, number });
      if (game !== requestedGame) {
        break;
      }
      if (!answer.ok) {
        stop();
        if (answer.why !== "") {
          showNote(answer.why, "bad");
        }
        break;
      }
      storePosition(number, { step: answer.step, parts: { at_us: answer.at_us, shown: answer.parts } });
    }
    isAsking = false;
    if (game !== requestedGame) {
      loadTarget();
    } else if (isOpened && positions.has(targetStep)) {
      drawTable(targetStep);
    }
  };

  /** Goes to a step; `by` is "slider", "button" or "play". */
  const go = (number, by) => {
    targetStep = Math.max(0, Math.min(number, lastStep()));
    ariaLive = by === "button" ? "polite" : "off";
    drawControls();
    if (positions.has(targetStep)) {
      drawTable(targetStep);
    } else {
      loadTarget();
    }
    loadEntriesAround();
  };

  const stop = () => {
    clearTimeout(playTimer);
    playTimer = null;
    if (game !== null) {
      drawControls();
    }
  };
  const stopAndGo = (number, by) => {
    stop();
    go(number, by);
  };
  const scheduleNextStep = () => {
    playTimer = setTimeout(() => {
      if (positions.has(targetStep)) {
        go(targetStep + 1, "play");
      }
      if (targetStep >= lastStep()) {
        stop();
      } else {
        scheduleNextStep();
      }
    }, STEP_MS / speed);
  };
  const playOrStop = () => {
    if (playTimer !== null) {
      stop();
      return;
    }
    if (targetStep >= lastStep()) {
      go(0, "play");
    }
    scheduleNextStep();
    drawControls();
  };

  words.onChange(() => {
    positions = new Map();
    pages = new Map();
    stage.store.redraw();
  });

  return {
    element,
    stop,
    focus: () => controls.querySelector("input").focus({ preventScroll: true }),
    step: () => targetStep,
    onStep: (listener) => (onStep = listener),
    /**
     * Opens another game, or the same one again, at step `number` (null: where it was, or at the start). Nothing is
     * fetched before `begin`.
     */
    open: (newGame, number) => {
      const isSameGame = game !== null && game.id === newGame.id;
      clearTimeout(playTimer);
      playTimer = null;
      game = newGame;
      const oldStage = stage;
      stage = stages(newGame.game);
      oldStage.cloth.replaceWith(stage.cloth);
      isOpened = false;
      positions = new Map();
      pages = new Map();
      targetStep = Math.max(0, Math.min(number ?? (isSameGame ? targetStep : 0), lastStep()));
      drawControls();
    },
    /** Fetches and shows the current step, once the tab is open. */
    begin: () => {
      if (!isOpened) {
        isOpened = true;
        go(targetStep, "play");
      }
    },
  };
};
