// What the table says, spoken by this device: a voice over the browser's own speech, which never falls behind, and
// among the settings the switch for it, how fast, a try, and why it can't be heard. It must not know what a sentence
// means.

import { html, pick, toggle } from "./html.js";

const MOST_WAITING = 3;
const STALE_MS = 8000;
/** A browser may forget to say that a sentence is over: then it is, after as long as it could take. */
const SLOWEST_MS_PER_LETTER = 180;
const PATIENCE_MS = 4000;

const shortOf = (tag) => tag.toLowerCase().split(/[-_]/)[0];

/** The best of `voices` for a language: one that is on the device, then the device's own choice; null if there is none. */
export const fittingVoice = (voices, language) => {
  const fitting = voices.filter((voice) => shortOf(voice.lang) === language);
  const rank = (voice) => (voice.localService ? 2 : 0) + (voice.default ? 1 : 0);
  return fitting.reduce((best, voice) => (best === null || rank(voice) > rank(best) ? voice : best), null);
};

/**
 * A voice over `synth` (the browser's speechSynthesis, or undefined where there is none). `state()` is "off", "none" (the
 * browser can't speak), "no-voice" (not in this language), "asleep" (until somebody touches the page) or "ready";
 * `onState` hears of each change.
 */
export const makeVoice = ({ language, synth = globalThis.speechSynthesis, nowMs = () => performance.now() }) => {
  const listeners = new Set();
  let on = false;
  let awake = false;
  let mute = false;
  let rate = 1;
  let waiting = [];
  let current = null;
  let timer = 0;

  const voices = () => synth?.getVoices() ?? [];
  /** A list that isn't there yet says nothing about what there will be. */
  const hasVoice = () => !mute && (voices().length === 0 || fittingVoice(voices(), language()) !== null);
  const state = () => {
    if (synth === undefined) {
      return "none";
    }
    if (!on) {
      return "off";
    }
    return !hasVoice() ? "no-voice" : awake ? "ready" : "asleep";
  };
  const tell = () => listeners.forEach((listener) => listener(state()));

  const over = (utterance, error = null) => {
    if (utterance !== current?.utterance) {
      return;
    }
    clearTimeout(timer);
    current = null;
    if (error !== null) {
      awake &&= error !== "not-allowed";
      mute ||= ["language-unavailable", "voice-unavailable"].includes(error);
      tell();
    }
    next();
  };

  const next = () => {
    if (current !== null || state() !== "ready") {
      return;
    }
    const newest = waiting[waiting.length - 1];
    waiting = waiting.filter((each) => each === newest || nowMs() - each.cameMs < STALE_MS);
    const sentence = waiting.shift();
    if (sentence === undefined) {
      return;
    }
    const utterance = new SpeechSynthesisUtterance(sentence.text);
    utterance.lang = language();
    utterance.voice = fittingVoice(voices(), language());
    utterance.rate = rate;
    utterance.addEventListener("end", () => over(utterance));
    utterance.addEventListener("error", (event) => over(utterance, event.error));
    current = { utterance, urgent: sentence.urgent };
    timer = setTimeout(() => {
      synth.cancel();
      over(utterance);
    }, PATIENCE_MS + (sentence.text.length * SLOWEST_MS_PER_LETTER) / rate);
    synth.speak(utterance);
  };

  const interrupt = () => {
    current = null;
    clearTimeout(timer);
    synth?.cancel();
  };
  const hush = () => {
    waiting = [];
    if (current !== null) {
      interrupt();
    }
  };

  /** Browsers let a page speak only once it was touched: the first touch says nothing, aloud. */
  const wake = () => {
    if (awake || !on || synth === undefined) {
      return;
    }
    awake = true;
    synth.speak(new SpeechSynthesisUtterance(""));
    tell();
    next();
  };

  synth?.addEventListener?.("voiceschanged", tell);

  return {
    state,
    onState: (listener) => listeners.add(listener),
    /** Speak from now on, or not any more. */
    use: (wanted) => {
      on = wanted;
      if (!on) {
        hush();
      }
      tell();
    },
    /** How fast, 1 being usual. */
    setRate: (wanted) => {
      rate = wanted;
    },
    /** Somebody touched the page. */
    wake,
    /** The language has changed: what was to be said is of no use any more. */
    turn: () => {
      mute = false;
      hush();
      tell();
    },
    hush,
    /** Say sentences `{text, urgent, spare}`, in their order. */
    say: (sentences) => {
      if (!["ready", "asleep"].includes(state())) {
        return;
      }
      sentences
        .filter(({ text }) => text !== "")
        .forEach(({ text, urgent = false, spare = false }) => {
          if (urgent) {
            waiting = waiting.filter((each) => each.urgent);
            if (current?.urgent === false) {
              interrupt();
            }
          }
          waiting = [...waiting, { text, urgent, spare, cameMs: nowMs() }];
          if (waiting.length > MOST_WAITING) {
            waiting.splice(Math.max(0, waiting.findIndex((each) => each.spare)), 1);
          }
        });
      next();
    },
  };
};

const RATES = { slow: 0.8, usual: 1, fast: 1.3, "very-fast": 1.7 };
const TROUBLE = { none: "page aloud-none", "no-voice": "page aloud-no-voice", asleep: "page aloud-asleep" };

/**
 * The settings of speech as a view, which `draw` draws. `kept` is what is chosen (`aloud`, `pace`, `explain`),
 * `keep(name, value)` keeps a choice.
 */
export const makeAloud = ({ store, words, cards }, kept, keep, draw) => {
  const { say } = words;
  const voice = makeVoice({ language: words.language });
  const paceNow = () => (kept.pace in RATES ? kept.pace : "usual");
  const tryIt = () => {
    voice.hush();
    voice.say([{ text: say("page aloud-phrase") }]);
  };
  const choosePace = (pace) => {
    keep("pace", pace);
    voice.setRate(RATES[pace]);
    draw();
    tryIt();
  };
  const use = (wanted) => {
    keep("aloud", wanted);
    voice.use(wanted);
    voice.wake();
    if (wanted) {
      tryIt();
    }
  };
  const wakeAndTry = () => {
    voice.wake();
    tryIt();
  };

  ["pointerup", "keydown"].forEach((touch) => document.addEventListener(touch, () => voice.wake()));
  words.onChange(() => voice.turn());
  store.onItems("log", (items, { whole }) => {
    if (whole) {
      voice.hush();
    } else {
      voice.say(items.map(({ spoken, urgent }) => ({ text: spoken, urgent })));
      voice.say(kept.explain ? items.map(({ explained }) => ({ text: explained, spare: true })) : []);
    }
  });
  voice.setRate(RATES[paceNow()]);
  voice.use(kept.aloud);
  voice.onState(draw);

  return () => {
    const state = voice.state();
    const paces = Object.keys(RATES).map((name) => [name, say(`page pace-${name}`)]);
    return html`
      <div class="stack gap-xs">
        ${toggle(say("page aloud"), kept.aloud, use, { "data-setting": "aloud", disabled: state === "none" })}
        <div class="stack gap-xs aloud-more" hidden=${state === "off" || state === "none"}>
          ${cards.areExplained() &&
          toggle(say("page aloud-explain"), kept.explain, (on) => keep("explain", on), { "data-setting": "explain" })}
          <label class="pick pick-wide">
            <span>${say("page aloud-pace")}</span>${pick(paceNow(), paces, choosePace, { "data-pace": "" })}
          </label>
          <button class="tool" type="button" data-aloud-try onClick=${wakeAndTry}>${say("page aloud-try")}</button>
        </div>
        <p class="remark" data-mood="warn" role="status" data-aloud-trouble>
          ${state in TROUBLE ? say(TROUBLE[state]) : ""}
        </p>
      </div>
    `;
  };
};
