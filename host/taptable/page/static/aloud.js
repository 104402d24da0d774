// What the table says, spoken by this device: the switch for it, how fast, a try, and why it can't be heard where it
// can't. It must not know how a browser speaks.

import { el, setText } from "./elements.js";
import { makeVoice } from "./voice.js";

const RATES = { slow: 0.8, usual: 1, fast: 1.3, "very-fast": 1.7 };
const TROUBLE = { none: "page aloud-none", "no-voice": "page aloud-no-voice", asleep: "page aloud-asleep" };

/**
 * The settings of speech in an element. `kept` is what was chosen before (`aloud`, `pace`), `keep(name, value)` keeps a
 * choice.
 */
export const makeAloud = ({ store, words }, kept, keep) => {
  const voice = makeVoice({ language: words.language });
  const box = el("input", { type: "checkbox", role: "switch", data: { setting: "aloud" } });
  const pace = el(
    "select",
    { data: { pace: "" } },
    ...Object.keys(RATES).map((name) => el("option", { value: name, "data-word": `page pace-${name}` })),
  );
  const attempt = el("button", { class: "tool", type: "button", "data-word": "page aloud-try", data: { aloudTry: "" } });
  const trouble = el("p", { class: "aloud-trouble", role: "status", data: { aloudTrouble: "" } });
  const more = el(
    "div",
    { class: "aloud-more" },
    el("label", { class: "pick pick-wide" }, el("span", { "data-word": "page aloud-pace" }), pace),
    attempt,
  );
  const element = el(
    "div",
    { class: "aloud" },
    el("label", { class: "switch" }, box, el("span", { "data-word": "page aloud" })),
    more,
    trouble,
  );

  const draw = () => {
    const state = voice.state();
    more.hidden = state === "off" || state === "none";
    box.disabled = state === "none";
    const key = TROUBLE[state];
    setText(trouble, key === undefined ? "" : words.say(key));
    trouble.hidden = key === undefined;
  };
  const tryIt = () => {
    voice.hush();
    voice.say([{ text: words.say("page aloud-phrase") }]);
  };
  const choosePace = (name) => {
    pace.value = name in RATES ? name : "usual";
    voice.setRate(RATES[pace.value]);
  };

  box.addEventListener("change", () => {
    keep("aloud", box.checked);
    voice.use(box.checked);
    voice.wake();
    if (box.checked) {
      tryIt();
    }
  });
  pace.addEventListener("change", () => {
    keep("pace", pace.value);
    choosePace(pace.value);
    tryIt();
  });
  attempt.addEventListener("click", () => {
    voice.wake();
    tryIt();
  });
  ["pointerup", "keydown"].forEach((touch) => document.addEventListener(touch, () => voice.wake()));
  voice.onState(draw);
  words.onChange(() => {
    voice.turn();
    draw();
  });
  store.onItems("log", (items, { whole }) => {
    if (whole) {
      voice.hush();
    } else {
      voice.say(items.map(({ spoken, urgent }) => ({ text: spoken, urgent })));
    }
  });

  box.checked = kept.aloud;
  choosePace(kept.pace);
  voice.use(kept.aloud);
  draw();
  return element;
};
