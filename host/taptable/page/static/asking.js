// A question before something is done that can't simply be undone: what it is, what comes of it, yes or no. It must not
// know what is asked.

import { el } from "./elements.js";

/** Questions in the words of the page; `confirm({title, more, yes, no})` are sentences and gives true for yes. */
export const makeAsking = (words) => {
  const title = el("h2", { class: "question-title", id: "question-title" });
  const more = el("p", { class: "question-more" });
  const no = el("button", { class: "tool", type: "button", data: { answer: "no" } });
  const yes = el("button", { class: "tool tool-main", type: "button", data: { answer: "yes" } });
  const dialog = el(
    "dialog",
    { class: "question", "aria-labelledby": "question-title", data: { question: "" } },
    title,
    more,
    el("div", { class: "question-answers" }, no, yes),
  );
  document.body.append(dialog);
  let answer = () => {};
  yes.addEventListener("click", () => dialog.close("yes"));
  no.addEventListener("click", () => dialog.close("no"));
  dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"));

  return ({ title: asked, more: meaning = "", yes: agree = words.say("page yes"), no: refuse = words.say("page no") }) =>
    new Promise((resolve) => {
      answer(false);
      answer = resolve;
      title.textContent = asked;
      more.textContent = meaning;
      more.hidden = meaning === "";
      yes.textContent = agree;
      no.textContent = refuse;
      dialog.returnValue = "no";
      if (!dialog.open) {
        dialog.showModal();
      }
      no.focus();
    });
};
