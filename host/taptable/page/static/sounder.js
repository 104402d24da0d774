// Sounds like the piezo sounder: a square wave that follows tones in table time after a fixed delay. It must not know
// any tune.

import { readStored, writeStored } from "./storage.js";

const DELAY_S = 0.12;
const LOUDNESS = 0.05;
const RAMP_S = 0.0015;
const TOO_OLD_S = 0.4;
/** Above this speed a tune is only noise. */
const MAX_SPEED = 10;
const STORAGE_KEY = "taptable.muted";

/**
 * Makes the sounder, silent until the first gesture. `nowUs()` returns table time, `speed()` its rate. Whether it is
 * muted is stored under `key`; the first time it is `mutedAtFirst`.
 */
export const makeSounder = ({ nowUs, speed, key = STORAGE_KEY, mutedAtFirst = false }) => {
  const listeners = new Set();
  let context = null;
  let oscillator = null;
  let gain = null;
  let muted = (readStored(key) ?? String(mutedAtFirst)) === "true";
  let last_s = 0;

  const openContext = () => {
    if (context !== null || muted || typeof AudioContext === "undefined") return;
    context = new AudioContext({ latencyHint: "interactive" });
    oscillator = new OscillatorNode(context, { type: "square", frequency: 1000 });
    gain = new GainNode(context, { gain: 0 });
    // a bare piezo disc has no bass
    const disc = new BiquadFilterNode(context, { type: "highpass", frequency: 700, Q: 0.7 });
    oscillator.connect(gain).connect(disc).connect(context.destination);
    oscillator.start();
    context.addEventListener("statechange", () => listeners.forEach((listener) => listener()));
  };

  const silence = () => {
    if (context === null) return;
    oscillator.frequency.cancelScheduledValues(0);
    gain.gain.cancelScheduledValues(0);
    gain.gain.value = 0;
    last_s = 0;
  };

  const suspendOrResume = () => {
    if (context === null) return;
    if (document.hidden || muted) {
      silence();
      void context.suspend();
    } else void context.resume();
  };

  const handleGesture = () => {
    openContext();
    suspendOrResume();
  };
  for (const gesture of ["pointerdown", "keydown"]) {
    addEventListener(gesture, handleGesture, { once: true, capture: true });
  }
  document.addEventListener("visibilitychange", suspendOrResume);

  return {
    /** Whether a tone would be heard: it isn't muted, and the browser has let it begin. */
    get isAudible() {
      return !muted && context?.state === "running";
    },
    /** Begins without a gesture, where the browser allows that. */
    open: openContext,
    /** Calls `listener()` when the browser lets the sounder begin, or stops it. */
    onState(listener) {
      listeners.add(listener);
    },
    get muted() {
      return muted;
    },
    set muted(value) {
      muted = value;
      writeStored(key, String(value));
      if (!value) openContext();
      suspendOrResume();
    },
    /** Plays the pin's tones, `{at_us, hz}` (null for silence), oldest first. */
    play(tones) {
      if (context === null || context.state !== "running" || document.hidden || muted) return;
      for (const { at_us, hz } of tones) {
        const ago_s = (nowUs() - at_us) / 1e6 / speed();
        if (hz !== null && (ago_s > TOO_OLD_S || speed() > MAX_SPEED)) continue;
        // keep the order even if tones arrive late
        const at_s = Math.max(context.currentTime + Math.max(0, DELAY_S - ago_s), last_s);
        last_s = at_s + RAMP_S;
        if (hz !== null) oscillator.frequency.setValueAtTime(hz, at_s);
        gain.gain.setTargetAtTime(hz === null ? 0 : LOUDNESS, at_s, RAMP_S / 3);
      }
    },
    silence,
  };
};
