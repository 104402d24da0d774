// What the table says, spoken by this device: a voice over the browser's own speech, which never falls behind, and
// among the settings the switch for it, how fast, a try, and why it can't be heard. It must not know what a sentence
// means.

import { html, pick, toggle } from "./html.js";

const MAX_WAITING = 3;
const STALE_MS = 8000;
/** A browser may forget to say that a sentence is over: then it is, after as long as it could take. */
const SLOWEST_MS_PER_LETTER = 180;
const END_GRACE_MS = 4000;

const primaryTag = (tag) => tag.toLowerCase().split(/[-_]/)[0];

/** The best of `voices` for a language: one that is on the device, then the device's own choice; null if there is none. */
export const bestVoice = (voices, language) => {
  const matching = voices.filter((voice) => primaryTag(voice.lang) === language);
  const rank = (voice) => (voice.localService ? 2 : 0) + (voice.default ? 1 : 0);
  return matching.reduce((best, voice) => (best === null || rank(voice) > rank(best) ? voice : best), null);
};

/**
 * A voice over `synth` (the browser's speechSynthesis, or undefined where there is none). `state()` is "off", "none" (the
 * browser can't speak), "no-voice" (not in this language), "asleep" (until somebody touches the page) or "ready";
 * `onState` hears of each change.
 */
export const makeVoice = ({ language, synth = globalThis.speechSynthesis, nowMs = () => performance.now() }) => {
  const listeners = new Set();
  let on = false;
  let isUnlocked = false;
  let isVoiceMissing = false;
  let rate = 1;
  let waiting = [];
  let current = null;
  let timer = 0;

  const voices = () => synth?.getVoices() ?? [];
  /** A list that isn't there yet says nothing about what there will be. */
  const hasVoice = () => !isVoiceMissing && (voices().length === 0 || bestVoice(voices(), language()) !== null);
  const state = () => {
    if (synth === undefined) {
      return "none";
    }
    if (!on) {
      return "off";
    }
    return !hasVoice() ? "no-voice" : isUnlocked ? "ready" : "asleep";
  };
  const notify = () => listeners.forEach((listener) => listener(state()));

  const handleEnd = (utterance, error = null) => {
    if (utterance !== current?.utterance) {
      return;
    }
    clearTimeout(timer);
    current = null;
    if (error !== null) {
      isUnlocked &&= error !== "not-allowed";
      isVoiceMissing ||= ["language-unavailable", "voice-unavailable"].includes(error);
      notify();
    }
    speakNext();
  };

  const speakNext = () => {
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
    utterance.voice = bestVoice(voices(), language());
    utterance.rate = rate;
    utterance.addEventListener("end", () => handleEnd(utterance));
    utterance.addEventListener("error", (event) => handleEnd(utterance, event.error));
    current = { utterance, urgent: sentence.urgent };
    timer = setTimeout(() => {
      synth.cancel();
      handleEnd(utterance);
    }, END_GRACE_MS + (sentence.text.length * SLOWEST_MS_PER_LETTER) / rate);
    synth.speak(utterance);
  };

  const interrupt = () => {
    current = null;
    clearTimeout(timer);
    synth?.cancel();
  };
  const stop = () => {
    waiting = [];
    if (current !== null) {
      interrupt();
    }
  };

  /** Browsers let a page speak only once it was touched: the first touch says nothing, aloud. */
  const unlock = () => {
    if (isUnlocked || !on || synth === undefined) {
      return;
    }
    isUnlocked = true;
    synth.speak(new SpeechSynthesisUtterance(""));
    notify();
    speakNext();
  };

  synth?.addEventListener?.("voiceschanged", notify);

  return {
    state,
    onState: (listener) => listeners.add(listener),
    /** Speak from now on, or not any more. */
    use: (isOn) => {
      on = isOn;
      if (!on) {
        stop();
      }
      notify();
    },
    /** How fast, 1 being usual. */
    setRate: (newRate) => {
      rate = newRate;
    },
    /** Somebody touched the page. */
    unlock,
    /** The language has changed: what was to be said is of no use any more. */
    reset: () => {
      isVoiceMissing = false;
      stop();
      notify();
    },
    stop,
    /** Say sentences `{text, urgent, isOptional}`, in their order. */
    speak: (sentences) => {
      if (!["ready", "asleep"].includes(state())) {
        return;
      }
      sentences
        .filter(({ text }) => text !== "")
        .forEach(({ text, urgent = false, isOptional = false }) => {
          if (urgent) {
            waiting = waiting.filter((each) => each.urgent);
            if (current?.urgent === false) {
              interrupt();
            }
          }
          waiting = [...waiting, { text, urgent, isOptional, cameMs: nowMs() }];
          if (waiting.length > MAX_WAITING) {
            waiting.splice(Math.max(0, waiting.findIndex((each) => each.isOptional)), 1);
          }
        });
      speakNext();
    },
  };
};

const RATES = { slow: 0.8, usual: 1, fast: 1.3, "very-fast": 1.7 };
const TROUBLE = { none: "page aloud-none", "no-voice": "page aloud-no-voice", asleep: "page aloud-asleep" };

/**
 * The settings of speech as a view, which `draw` draws. `kept` is what is chosen (`aloud`, `pace`, `explain`),
 * `keep(name, value)` keeps a choice.
 */
export const makeSpeechSettings = ({ store, words, cards }, settings, save, draw) => {
  const { say } = words;
  const voice = makeVoice({ language: words.language });
  const currentPace = () => (settings.pace in RATES ? settings.pace : "usual");
  const speakSample = () => {
    voice.stop();
    voice.speak([{ text: say("page aloud-phrase") }]);
  };
  const choosePace = (pace) => {
    save("pace", pace);
    voice.setRate(RATES[pace]);
    draw();
    speakSample();
  };
  const setSpeaking = (isOn) => {
    save("aloud", isOn);
    voice.use(isOn);
    voice.unlock();
    if (isOn) {
      speakSample();
    }
  };
  const unlockAndSpeakSample = () => {
    voice.unlock();
    speakSample();
  };

  ["pointerup", "keydown"].forEach((type) => document.addEventListener(type, () => voice.unlock()));
  words.onChange(() => voice.reset());
  store.onItems("log", (items, { whole }) => {
    if (whole) {
      voice.stop();
    } else {
      voice.speak(items.map(({ spoken, urgent }) => ({ text: spoken, urgent })));
      voice.speak(settings.explain ? items.map(({ explained }) => ({ text: explained, isOptional: true })) : []);
    }
  });
  voice.setRate(RATES[currentPace()]);
  voice.use(settings.aloud);
  voice.onState(draw);

  return () => {
    const state = voice.state();
    const paces = Object.keys(RATES).map((name) => [name, say(`page pace-${name}`)]);
    return html`
      <div class="stack gap-xs">
        ${toggle(say("page aloud"), settings.aloud, setSpeaking, { "data-setting": "aloud", disabled: state === "none" })}
        <div class="stack gap-xs aloud-more" hidden=${state === "off" || state === "none"}>
          ${cards.haveExplanations() &&
          toggle(say("page aloud-explain"), settings.explain, (on) => save("explain", on), { "data-setting": "explain" })}
          <label class="pick pick-wide">
            <span>${say("page aloud-pace")}</span>${pick(currentPace(), paces, choosePace, { "data-pace": "" })}
          </label>
          <button class="tool" type="button" data-aloud-try onClick=${unlockAndSpeakSample}>${say("page aloud-try")}</button>
        </div>
        <p class="remark" data-mood="warn" role="status" data-aloud-trouble>
          ${state in TROUBLE ? say(TROUBLE[state]) : ""}
        </p>
      </div>
    `;
  };
};
