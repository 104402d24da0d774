// What came of something that was asked for at this page: one sentence at a time, read out, gone after a while or at a
// tap on it. It lies where it hides the fewest buttons, and takes no tap: that reaches what lies below. It must not know
// what was asked for.

import { el } from "./elements.js";
import { draw, html } from "./html.js";
import { sign } from "./signs.js";

const SHOWN_MS = 8000;
const SIGN = { good: "yes", bad: "no" };
const PRESSABLE = "button, a[href], select, input, textarea, summary";
const ENDS = ["end", "start"];

const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A function `say(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const place = el("div", { class: "notes", role: "status" });
  document.body.append(place);
  let timer = 0;
  let number = 0;

  const box = () => place.firstElementChild.getBoundingClientRect();
  /** How many buttons it would hide at this end of the window. */
  const hiddenAt = (end) => {
    place.dataset.at = end;
    return [...document.querySelectorAll(PRESSABLE)].filter((each) => meet(box(), each.getBoundingClientRect())).length;
  };
  const settle = () => {
    const hidden = ENDS.map(hiddenAt);
    place.dataset.at = ENDS[hidden.indexOf(Math.min(...hidden))];
  };

  const say = (sentence, mood = "good") => {
    const hide = () => say("", mood);
    clearTimeout(timer);
    number += 1;
    // another element each time: the same sentence a second time is read out too
    draw(
      place,
      html`
        <p class="remark beside note" key=${number} data-note data-mood=${mood} hidden=${sentence === ""} onClick=${hide}>
          ${sign(SIGN[mood] ?? "bell")}<span>${sentence}</span>
        </p>
      `,
    );
    if (sentence !== "") {
      settle();
      timer = setTimeout(hide, SHOWN_MS);
    }
  };
  document.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    if (meet(box(), { left: x, right: x, top: y, bottom: y })) {
      say("");
    }
  });
  addEventListener("hashchange", () => requestAnimationFrame(settle)); // other buttons lie below it now
  say("");
  return say;
};
