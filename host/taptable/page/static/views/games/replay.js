// A game step by step: a slider with buttons, what happened at the step, and the table after it, drawn as the running
// one is, with the words and faces of its own game. A step is asked for when it is wanted; answers that come too late
// are kept, not shown. It must not know the rules.

import { makeCards, takeSheet } from "../../cards.js";
import { draw, el, html, pick, sign } from "../../html.js";
import { fetchSheet } from "../../live.js";
import { clock, makeNames } from "../../names.js";
import { makeStore } from "../../store.js";
import { makeTable } from "../../table/table.js";
import { makeWords } from "../../words.js";

/** What a table is built with where there are no hands at it: nothing in its slots, and seat 1 at the bottom. */
const noSlots = () => ({
  centre: el("div", { class: "centre-slot" }),
  prompt: el("div", { class: "prompt-slot" }),
  seat: () => el("div", { class: "seat-slot" }),
  ownSeat: () => 1,
  isMine: () => false,
  onTurned: () => {},
});

/** The words and the faces of another game, once they are there; `sheets` is where faces are kept. */
const borrow = (game, page, store, sheets) => {
  const words = makeWords(game);
  const prefix = `${game}-`;
  const sheet = el("div", {});
  sheets.append(sheet);
  const faces = async () => takeSheet(await fetchSheet(`/faces/${game}.svg`), sheet, prefix);
  page.words.onChange((language) => words.use(language).then(store.again));
  return {
    words,
    cards: makeCards(words, () => store.get("pack"), prefix),
    ready: Promise.all([words.use(page.words.language()), faces()]),
  };
};

/** A stage for games of one kind: `{cloth, store, ready}`; what is shown is applied to the store once it is ready. */
const makeStage = (page, game, sheets) => {
  const store = makeStore();
  store.setRate(0); // whatever window there is stays as it was then
  const cloth = el("div", { class: "table replay-table", role: "group", data: { replayTable: "" } });
  const { words, cards, ready } = game === page.about.game
    ? { words: page.words, cards: makeCards(page.words, () => store.get("pack")), ready: Promise.resolve() }
    : borrow(game, page, store, sheets);
  const names = makeNames({ store, words });
  makeTable(cloth, { store, words, cards, names, about: { ...page.about, extension: null }, slots: noSlots() });
  return { cloth, store, ready };
};

/** The stages of `page`, each made when a game of its kind is first shown: `stages(game)`. */
export const makeStages = (page) => {
  const sheets = el("div", { class: "sheet", hidden: true });
  document.body.append(sheets);
  const made = new Map();
  return (game) => {
    if (!made.has(game)) {
      made.set(game, makeStage(page, game, sheets));
    }
    return made.get(game);
  };
};

const KEPT = 300;
const PAGE = 60;
const AROUND = 3;
const STEP_MS = 1600;
const SPEEDS = [1, 2, 4];
const SIGN = { announced: "turn", refused: "no", ignored: "nothing", fault: "bolt" };

/** The replay for `page`: `{element, open(game, step), begin, stop, focus, step, onStep(listener)}`. */
export const makeReplay = (page) => {
  const { live, words, about, say: note } = page;
  const { say } = words;
  const stages = makeStages(page);
  let stage = stages(about.game);
  const controls = el("div", { class: "stack gap-xs replay-controls" });
  const near = el("div", { class: "replay-near" });
  const element = el("div", { class: "stack replay", data: { extension: "false" } }, controls, stage.cloth, near);

  let game = null;
  let wanted = 0;
  let begun = false;
  let asking = false;
  let playing = null;
  let speed = SPEEDS[0];
  /** Whether what happened is read out: not while the slider speaks for itself, nor while it plays. */
  let reading = "off";
  let positions = new Map();
  let pages = new Map();
  let revision = 0;
  let told = null;
  let onStep = () => {};

  const lastStep = () => game.steps - 1;

  const keep = (number, answer) => {
    positions.set(number, answer);
    if (positions.size > KEPT) {
      positions.delete(positions.keys().next().value);
    }
  };

  /** The sentence of a step, if it is known. */
  const stepOf = (number) => positions.get(number)?.step ?? pages.get(Math.floor(number / PAGE))?.[number % PAGE];

  // what can't be done is still there for the keys: a button that is switched off would lose the focus
  const button = (name, signName, wordKey, isEnd, does) => html`
    <button class="tool" type="button" title=${say(wordKey)} aria-label=${say(wordKey)} aria-disabled=${isEnd}
      data-do=${name} onClick=${does}>
      ${sign(signName)}
    </button>
  `;
  const nearStep = (number) => html`
    <li key=${number}>
      <button class="near-step" type="button" aria-current=${number === wanted ? "step" : null} data-step=${number}
        onClick=${() => go(number, "button")}>
        <span class="soft digits">${number}</span><span>${stepOf(number).text}</span>
      </button>
    </li>
  `;
  const show = () => {
    const last = lastStep();
    const step = stepOf(wanted);
    told = step ?? told; // what is shown stays until the next is known
    const [isFirst, isLast] = [wanted === 0, wanted === last];
    const [playKey, playSign] = playing === null ? ["page replay-play", "turn"] : ["page replay-stop", "pause"];
    const from = Math.max(0, Math.min(wanted - AROUND, last - 2 * AROUND));
    const numbers = Array.from({ length: Math.min(2 * AROUND + 1, game.steps) }, (_, at) => from + at);
    draw(
      controls,
      html`
        <input id="replay-slider" class="replay-slider" type="range" min="0" max=${last} step="1" value=${wanted}
          aria-label=${say("page replay-step")} data-replay
          aria-valuetext=${say("page replay-told", { number: wanted, last, text: step?.text ?? "" })}
          onInput=${({ target }) => goBy(Number(target.value), "slider")} />
        <p class="beside apart soft digits">
          <output for="replay-slider">${say("page replay-of", { number: wanted, last })}</output>
          <span>${told === null ? "" : clock(told.at_us)}</span>
        </p>
        <div class="cluster gap-xs replay-buttons">
          ${button("first", "first", "page replay-first", isFirst, () => goBy(0, "button"))}
          ${button("back", "previous", "page replay-back", isFirst, () => goBy(wanted - 1, "button"))}
          ${button("play", playSign, playKey, null, playOrStop)}
          ${button("on", "next", "page replay-on", isLast, () => goBy(wanted + 1, "button"))}
          ${button("last", "last", "page replay-last", isLast, () => goBy(last, "button"))}
          <label class="pick">
            <span class="unseen">${say("page replay-speed")}</span>
            ${pick(speed, SPEEDS.map((each) => [each, `${each}×`]), (value) => (speed = Number(value)), { "data-speed": "" })}
          </label>
        </div>
        <p class="remark beside replay-told" aria-live=${reading} data-told data-kind=${told?.kind}>
          ${told !== null && sign(SIGN[told.kind] ?? "bell")}<span>${told?.text}</span>
        </p>
      `,
    );
    draw(
      near,
      html`
        <ol aria-label=${say("page replay-near")} data-near>
          ${numbers.filter((number) => stepOf(number) !== undefined).map(nearStep)}
        </ol>
      `,
    );
  };

  /** The sentences of the steps around the one that is wanted. */
  const readAround = async () => {
    const mine = game;
    const places = new Set(
      [wanted - AROUND, wanted + AROUND].map((number) => Math.floor(Math.max(0, Math.min(number, lastStep())) / PAGE)),
    );
    for (const place of places) {
      if (!pages.has(place)) {
        pages.set(place, []);
        const answer = await live.ask({ do: "steps", id: mine.id, from: place * PAGE });
        if (mine !== game) {
          return;
        }
        if (!answer.ok) {
          pages.delete(place);
          return;
        }
        pages.set(place, answer.steps);
      }
    }
    show();
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
    const on = stage;
    on.ready.then(() => {
      if (message.revision === revision) {
        on.store.apply(message);
        on.store.soon(() => (on.cloth.dataset.step = step.n));
      }
    });
    show();
    onStep(number);
  };

  /** Ask for what is wanted until that is shown: whatever is wanted meanwhile comes next, all between is left out. */
  const catchUp = async () => {
    if (asking) {
      return;
    }
    asking = true;
    const mine = game;
    while (game === mine && begun && !positions.has(wanted)) {
      const number = wanted;
      const answer = await live.ask({ do: "position", id: mine.id, number });
      if (game !== mine) {
        break;
      }
      if (!answer.ok) {
        stop();
        if (answer.why !== "") {
          note(answer.why, "bad");
        }
        break;
      }
      keep(number, { step: answer.step, parts: { at_us: answer.at_us, shown: answer.parts } });
    }
    asking = false;
    if (game !== mine) {
      catchUp();
    } else if (begun && positions.has(wanted)) {
      drawTable(wanted);
    }
  };

  /** Go to a step; `by` is "slider", which speaks for itself, "button", or "play". */
  const go = (number, by) => {
    wanted = Math.max(0, Math.min(number, lastStep()));
    reading = by === "button" ? "polite" : "off";
    show();
    if (positions.has(wanted)) {
      drawTable(wanted);
    } else {
      catchUp();
    }
    readAround();
  };

  const stop = () => {
    clearTimeout(playing);
    playing = null;
    if (game !== null) {
      show();
    }
  };
  const goBy = (number, by) => {
    stop();
    go(number, by);
  };
  const playOn = () => {
    playing = setTimeout(() => {
      if (positions.has(wanted)) {
        go(wanted + 1, "play");
      }
      if (wanted >= lastStep()) {
        stop();
      } else {
        playOn();
      }
    }, STEP_MS / speed);
  };
  const playOrStop = () => {
    if (playing !== null) {
      stop();
      return;
    }
    if (wanted >= lastStep()) {
      go(0, "play");
    }
    playOn();
    show();
  };

  words.onChange(() => {
    positions = new Map();
    pages = new Map();
    stage.store.again();
  });

  return {
    element,
    stop,
    focus: () => controls.querySelector("input").focus({ preventScroll: true }),
    step: () => wanted,
    onStep: (listener) => (onStep = listener),
    /** Another game, or the same once more; where it begins if `number` is null. Nothing is asked for before `begin`. */
    open: (anew, number) => {
      const same = game !== null && game.id === anew.id;
      clearTimeout(playing);
      playing = null;
      game = anew;
      const before = stage;
      stage = stages(anew.game);
      before.cloth.replaceWith(stage.cloth);
      begun = false;
      positions = new Map();
      pages = new Map();
      wanted = Math.max(0, Math.min(number ?? (same ? wanted : 0), lastStep()));
      show();
    },
    /** It is looked at. */
    begin: () => {
      if (!begun) {
        begun = true;
        go(wanted, "play");
      }
    },
  };
};
