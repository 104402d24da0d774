// What came of something that was asked for at this page: one sentence at a time, read out, gone after a while. It must
// not know what was asked for.

import { el } from "./elements.js";
import { draw, html } from "./html.js";
import { sign } from "./signs.js";

const SHOWN_MS = 8000;
const SIGN = { good: "yes", bad: "no" };

/** A function `say(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const place = el("div", { class: "notes", role: "status" });
  document.body.append(place);
  let timer = 0;
  let number = 0;

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
      timer = setTimeout(hide, SHOWN_MS);
    }
  };
  say("");
  return say;
};
