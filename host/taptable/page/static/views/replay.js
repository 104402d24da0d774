// A game step by step: a slider with buttons, what happened at the step, and the table after it, drawn as the running
// one is. A step is asked for when it is wanted; answers that come too late are kept, not shown. It must not know the
// rules.

import { el, setData, setText } from "../elements.js";
import { sign } from "../signs.js";
import { makeStages } from "./stage.js";
import { clock } from "./told.js";

const KEPT = 300;
const PAGE = 60;
const AROUND = 3;
const STEP_MS = 1600;
const SPEEDS = [1, 2, 4];
const SIGN = { announced: "turn", refused: "no", ignored: "nothing", fault: "bolt" };

/** The replay for `page`: `{element, open(game, step), begin, stop, focus, step, onStep(listener)}`. */
export const makeReplay = (page) => {
  const { live, words, about, say } = page;
  const stages = makeStages(page);
  let stage = stages(about.game);

  const button = (name, signName, wordKey) =>
    el(
      "button",
      { class: "tool", type: "button", "data-word-label": wordKey, "data-word-title": wordKey, data: { do: name } },
      sign(signName),
    );
  const first = button("first", "first", "page replay-first");
  const back = button("back", "previous", "page replay-back");
  const play = button("play", "turn", "page replay-play");
  const on = button("on", "next", "page replay-on");
  const last = button("last", "last", "page replay-last");
  const speed = el(
    "select",
    { data: { speed: "" } },
    ...SPEEDS.map((each) => el("option", { value: each }, `${each}×`)),
  );
  const slider = el("input", {
    id: "replay-slider",
    class: "replay-slider",
    type: "range",
    min: 0,
    step: 1,
    value: 0,
    "data-word-label": "page replay-step",
    data: { replay: "" },
  });
  const count = el("output", { class: "replay-count", for: "replay-slider" });
  const time = el("span", { class: "replay-time" });
  const mark = el("span", { class: "replay-sign" });
  const sentence = el("span", { class: "replay-text" });
  const told = el("p", { class: "replay-told", "aria-live": "off", data: { told: "" } }, mark, sentence);
  const near = el("ol", { class: "replay-near", "data-word-label": "page replay-near", data: { near: "" } });
  const element = el(
    "div",
    { class: "replay", data: { annex: "false" } },
    el(
      "div",
      { class: "replay-controls" },
      slider,
      el("p", { class: "replay-where" }, count, time),
      el(
        "div",
        { class: "replay-buttons" },
        first,
        back,
        play,
        on,
        last,
        el("label", { class: "pick" }, el("span", { class: "unseen", "data-word": "page replay-speed" }), speed),
      ),
      told,
    ),
    stage.cloth,
    near,
  );

  let game = null;
  let wanted = 0;
  let begun = false;
  let asking = false;
  let playing = null;
  let positions = new Map();
  let pages = new Map();
  let revision = 0;
  let onStep = () => {};

  const lastStep = () => game.steps - 1;
  const isPlaying = () => playing !== null;

  const keep = (number, answer) => {
    positions.set(number, answer);
    if (positions.size > KEPT) {
      positions.delete(positions.keys().next().value);
    }
  };

  const drawPlay = () => {
    const key = isPlaying() ? "page replay-stop" : "page replay-play";
    play.dataset.wordLabel = key;
    play.dataset.wordTitle = key;
    play.setAttribute("aria-label", words.say(key));
    play.title = words.say(key);
    play.replaceChildren(sign(isPlaying() ? "pause" : "turn"));
  };

  const drawWhere = () => {
    slider.value = String(wanted);
    slider.max = String(lastStep());
    setText(count, words.say("page replay-of", { number: wanted, last: lastStep() }));
    // what can't be done is still there for the keys: a button that is switched off would lose the focus
    [first, back].forEach((each) => each.setAttribute("aria-disabled", String(wanted === 0)));
    [on, last].forEach((each) => each.setAttribute("aria-disabled", String(wanted === lastStep())));
  };

  /** The sentence of a step, if it is known. */
  const stepOf = (number) => positions.get(number)?.step ?? pages.get(Math.floor(number / PAGE))?.[number % PAGE];

  const drawTold = () => {
    const step = stepOf(wanted);
    const spoken = step === undefined ? "" : step.text;
    slider.setAttribute(
      "aria-valuetext",
      words.say("page replay-told", { number: wanted, last: lastStep(), text: spoken }),
    );
    if (step !== undefined) {
      setText(sentence, step.text);
      setText(time, clock(step.at_us));
      setData(told, "kind", step.kind);
      mark.replaceChildren(sign(SIGN[step.kind] ?? "bell"));
    }
  };

  const drawNear = () => {
    const from = Math.max(0, Math.min(wanted - AROUND, lastStep() - 2 * AROUND));
    const numbers = Array.from({ length: Math.min(2 * AROUND + 1, game.steps) }, (_, at) => from + at);
    near.replaceChildren(
      ...numbers
        .filter((number) => stepOf(number) !== undefined)
        .map((number) => {
          const step = stepOf(number);
          const line = el(
            "button",
            {
              class: "near-step",
              type: "button",
              "aria-current": number === wanted ? "step" : null,
              data: { step: String(number) },
            },
            el("span", { class: "near-number" }, String(number)),
            el("span", { class: "near-text" }, step.text),
          );
          line.addEventListener("click", () => {
            go(number, "button");
            near.querySelector(`[data-step="${number}"]`)?.focus();
          });
          return el("li", {}, line);
        }),
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
    drawNear();
    drawTold();
  };

  const drawTable = (number) => {
    const { step, parts } = positions.get(number);
    revision += 1;
    // the time of the table stands still: whatever window there is stays as it was then
    const message = {
      boot: `game ${game.id}`,
      revision,
      at_us: parts.at_us,
      speed: 0,
      parts: { ...parts.shown, names: game.names },
    };
    const on = stage;
    on.ready.then(() => {
      if (message.revision === revision) {
        on.store.apply(message);
        on.store.soon(() => setData(on.cloth, "step", step.n));
      }
    });
    drawTold();
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
          say(answer.why, "bad");
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
    told.setAttribute("aria-live", by === "button" ? "polite" : "off");
    drawWhere();
    drawTold();
    drawNear();
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
    drawPlay();
  };

  const playOn = () => {
    playing = setTimeout(
      () => {
        if (positions.has(wanted)) {
          go(wanted + 1, "play");
        }
        if (wanted >= lastStep()) {
          stop();
        } else {
          playOn();
        }
      },
      STEP_MS / Number(speed.value),
    );
  };

  const step = (target) => {
    stop();
    go(target(), "button");
  };
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value), "slider");
  });
  first.addEventListener("click", () => step(() => 0));
  back.addEventListener("click", () => step(() => wanted - 1));
  on.addEventListener("click", () => step(() => wanted + 1));
  last.addEventListener("click", () => step(lastStep));
  play.addEventListener("click", () => {
    if (isPlaying()) {
      stop();
      return;
    }
    if (wanted >= lastStep()) {
      go(0, "play");
    }
    playOn();
    drawPlay();
  });
  words.onChange(() => {
    positions = new Map();
    pages = new Map();
    stage.store.again();
  });
  drawPlay();

  return {
    element,
    stop,
    focus: () => slider.focus({ preventScroll: true }),
    step: () => wanted,
    onStep: (listener) => {
      onStep = listener;
    },
    /** Another game, or the same once more; where it begins if `number` is null. Nothing is drawn before `begin`. */
    open: (told, number) => {
      const same = game !== null && game.id === told.id;
      stop();
      game = told;
      const before = stage;
      stage = stages(told.game);
      before.cloth.replaceWith(stage.cloth);
      begun = false;
      positions = new Map();
      pages = new Map();
      wanted = Math.max(0, Math.min(number ?? (same ? wanted : 0), lastStep()));
      drawWhere();
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
