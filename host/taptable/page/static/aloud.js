// What the table says, spoken by this device: the switch for it, how fast, a try, and why it can't be heard where it
// can't. It must not know how a browser speaks.

import { html, pick } from "./html.js";
import { makeVoice } from "./voice.js";

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
  const explain = ({ target }) => {
    keep("explain", target.checked);
    draw();
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
        <label class="switch">
          <input type="checkbox" role="switch" data-setting="aloud" checked=${kept.aloud} disabled=${state === "none"}
            onChange=${({ target }) => use(target.checked)} />
          <span>${say("page aloud")}</span>
        </label>
        <div class="stack gap-xs aloud-more" hidden=${state === "off" || state === "none"}>
          <label class="switch" hidden=${!cards.areExplained()}>
            <input type="checkbox" role="switch" data-setting="explain" checked=${kept.explain} onChange=${explain} />
            <span>${say("page aloud-explain")}</span>
          </label>
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
