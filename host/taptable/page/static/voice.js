// A voice that reads sentences out one after the other, by the browser's own speech. It never falls behind: what waits too
// long, or is too far back, is let go, what can be spared first; and what is urgent is said at once. It must not know whose
// sentences they are.

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
    if (error === "not-allowed") {
      awake = false;
      tell();
    } else if (error === "language-unavailable" || error === "voice-unavailable") {
      mute = true;
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

  const hush = () => {
    waiting = [];
    if (current !== null) {
      current = null;
      clearTimeout(timer);
      synth.cancel();
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
            if (current !== null && !current.urgent) {
              current = null;
              clearTimeout(timer);
              synth.cancel();
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
