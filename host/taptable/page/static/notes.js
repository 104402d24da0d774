// What came of something that was asked for at this page: one sentence at a time, read out, gone after a while. It must
// not know what was asked for.

import { el } from "./elements.js";
import { sign } from "./signs.js";

const SHOWN_MS = 8000;
const SIGN = { good: "yes", bad: "no" };

/** A function `say(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const text = el("span", { class: "note-text" });
  const mark = el("span", { class: "note-sign" });
  const note = el("p", { class: "note", data: { note: "" } }, mark, text);
  const place = el("div", { class: "notes", role: "status" }, note);
  note.hidden = true;
  document.body.append(place);
  let timer = 0;
  const hide = () => {
    note.hidden = true;
  };
  note.addEventListener("click", hide);

  return (sentence, mood = "good") => {
    clearTimeout(timer);
    note.hidden = sentence === "";
    note.dataset.mood = mood;
    mark.replaceChildren(sign(SIGN[mood] ?? "bell"));
    text.textContent = sentence;
    timer = setTimeout(hide, SHOWN_MS);
  };
};
