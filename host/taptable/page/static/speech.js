// Speaks the table's sentences by the browser's speech synthesis without falling behind, and draws its settings: a
// switch, the rate, a sample, and why it can't be heard. It must not know what a sentence means.

import { html, pick, toggle } from "./html.js";

const MAX_WAITING = 3;
const STALE_MS = 8000;
/** A browser may fail to report that a sentence has ended. After the longest time it could take, it counts as ended. */
const SLOWEST_MS_PER_LETTER = 180;
const END_GRACE_MS = 4000;

const primaryTag = (tag) => tag.toLowerCase().split(/[-_]/)[0];

/** Returns the best of `voices` for a language: a local one before the browser's default; null without any. */
export const bestVoice = (voices, language) => {
  const matching = voices.filter((voice) => primaryTag(voice.lang) === language);
  const rank = (voice) => (voice.localService ? 2 : 0) + (voice.default ? 1 : 0);
  return matching.reduce((best, voice) => (best === null || rank(voice) > rank(best) ? voice : best), null);
};

/**
 * Makes a voice over `synth` (the browser's speechSynthesis, undefined without one). `state()` is "off", "none" (no
 * speech in this browser), "no-voice" (none for this language), "asleep" (until the person touches the page) or
 * "ready". `onState` listeners receive each new state.
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
  /** An empty list means that voices aren't loaded yet. */
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

  /** Browsers let a page speak only after a gesture, so the first gesture speaks an empty sentence. */
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
    /** Switches speech on or off. */
    use: (isOn) => {
      on = isOn;
      if (!on) {
        stop();
      }
      notify();
    },
    /** Sets the rate; 1 is the browser's own. */
    setRate: (newRate) => {
      rate = newRate;
    },
    /** To be called on the person's first gesture. */
    unlock,
    /** To be called after a change of language: drops all waiting sentences. */
    reset: () => {
      isVoiceMissing = false;
      stop();
      notify();
    },
    stop,
    /**
     * Speaks sentences `{text, urgent, isOptional}` in their order. Urgent ones interrupt; optional ones are dropped
     * first.
     */
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
 * Makes the speech settings as a view that `draw` renders. `settings` has `aloud`, `pace` and `explain`; `save(name,
 * value)` stores one of them.
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
