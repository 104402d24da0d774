// Lets the screen sound like the table, if somebody asks for that by one tap: the sounder's tunes, the ticks of a
// window, and the table's sentences aloud. Browsers need the tap. The switch for it shows for a while after the page
// has loaded and after each touch. It must not know what a sound or a sentence means.

import { html, icon } from "../html.js";
import { makeSounder } from "../sounder.js";
import { makeVoice } from "../speech.js";

const FRESH_US = 1_500_000;
const US_PER_MS = 1000;
const SHOWN_AT_FIRST_MS = 60_000;
const SHOWN_MS = 10_000;
const KEY = "taptable-scoreboard-muted";
const TROUBLE = { none: "page aloud-none", "no-voice": "page aloud-no-voice" };

/**
 * Makes the speaker: `view()` draws its switch, or nothing; `trouble()` is the key of the reason why it can't speak, or
 * "". `tunes` and `ticks` are those of `/about.json`. It begins by itself if it is `asked` to in the page's address or was
 * switched on before, where the browser allows that.
 */
export const makeSpeaker = ({ store, words, live, tunes, ticks, asked = false }) => {
  const listeners = new Set();
  const sounder = makeSounder({ nowUs: store.nowUs, speed: store.rate, key: KEY, mutedAtFirst: true });
  const voice = makeVoice({ language: words.language });
  let isOn = asked || !sounder.muted;
  let isShown = true;
  let timer = 0;
  let playing = { priority: 0, endsUs: 0 };
  let tickedUs = 0;
  /** Whether it was heard before the last gesture, which wakes it even if it is a tap on the switch. */
  let wasHeard = false;

  const notify = () => listeners.forEach((listener) => listener());
  const show = (shownMs) => {
    clearTimeout(timer);
    isShown = true;
    timer = setTimeout(() => {
      isShown = false;
      notify();
    }, shownMs);
    notify();
  };

  const play = (name) => {
    const tune = tunes[name];
    const nowUs = store.nowUs();
    if (!isOn || tune === undefined || (nowUs < playing.endsUs && tune.priority < playing.priority)) {
      return;
    }
    let endsUs = nowUs;
    const tones = tune.tones.map(([hz, ms]) => {
      const tone = { at_us: endsUs, hz };
      endsUs += ms * US_PER_MS;
      return tone;
    });
    playing = { priority: tune.priority, endsUs };
    sounder.silence();
    sounder.play([...tones, { at_us: endsUs, hz: null }]);
  };

  const use = (on) => {
    isOn = on;
    sounder.muted = !on;
    voice.use(on);
    live.watch("sounds", on);
  };
  const isHeard = () => isOn && sounder.isAudible;
  const toggle = () => {
    use(!wasHeard);
    wasHeard = isOn;
    voice.unlock();
    if (isOn) {
      play("accepted");
      voice.speak([{ text: words.say("page aloud-phrase") }]);
    }
    show(SHOWN_MS);
  };

  store.onItems("sounds", (items, { whole }) => {
    if (!whole) {
      const nowUs = store.nowUs();
      items.filter((item) => nowUs - item.at_us < FRESH_US).forEach((item) => play(item.sound));
    }
  });
  store.onItems("log", (items, { whole }) => {
    if (whole) {
      voice.stop();
    } else {
      voice.speak(items.map(({ spoken, urgent }) => ({ text: spoken, urgent })));
    }
  });
  words.onChange(() => voice.reset());
  voice.onState(notify);
  sounder.onState(() => {
    if (isHeard()) {
      voice.unlock(); // what may sound may speak, too
    }
    notify();
  });
  const handleGesture = () => {
    wasHeard = isHeard();
    show(SHOWN_MS);
  };
  ["pointerdown", "keydown"].forEach((type) => document.addEventListener(type, handleGesture));
  if (isOn) {
    use(true);
  }
  show(SHOWN_AT_FIRST_MS);

  return {
    onChange: (listener) => listeners.add(listener),
    /** Ticks faster and faster while a window runs for another `leftUs`. To be called in each frame. */
    tick: (leftUs) => {
      const nowUs = store.nowUs();
      const [, paceMs] = ticks.find(([moreThanMs]) => leftUs > moreThanMs * US_PER_MS) ?? [0, Infinity];
      if (leftUs > 0 && nowUs - tickedUs >= paceMs * US_PER_MS) {
        tickedUs = nowUs;
        play("tick");
      }
    },
    trouble: () => (isShown && isOn ? (TROUBLE[voice.state()] ?? "") : ""),
    /** Draws the switch: while it was shown not long ago, and as long as the browser waits for a touch. */
    view: () => {
      const waits = isOn && !sounder.isAudible && typeof AudioContext !== "undefined";
      return (isShown || waits) &&
        html`
          <button class="wall-sound" type="button" data-sound aria-pressed=${isHeard()} onClick=${toggle}>
            ${icon(isHeard() ? "sound" : "muted")}<span>${words.say("page board-sound")}</span>
          </button>
        `;
    },
  };
};
