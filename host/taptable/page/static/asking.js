// A question before something is done that can't simply be undone: what it is, what comes of it, yes or no. It must not
// know what is asked.

import { el } from "./elements.js";
import { MAIN, draw, html } from "./html.js";

/** Questions in the words of the page; `confirm({title, more, yes, no})` are sentences and gives true for yes. */
export const makeAsking = ({ say }) => {
  const dialog = el("dialog", { class: "question", "aria-labelledby": "question-title", data: { question: "" } });
  document.body.append(dialog);
  let answer = () => {};
  dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"));
  const button = (hook, text, of = { class: "tool" }) => html`
    <button type="button" data-answer=${hook} onClick=${() => dialog.close(hook)} ...${of}>${text}</button>
  `;

  return ({ title, more = "", yes = say("page yes"), no = say("page no") }) =>
    new Promise((resolve) => {
      answer(false);
      answer = resolve;
      draw(
        dialog,
        html`
          <h2 class="heading" id="question-title">${title}</h2>
          <p class="question-more">${more}</p>
          <div class="halves question-answers">${button("no", no)} ${button("yes", yes, MAIN)}</div>
        `,
      );
      dialog.returnValue = "no";
      if (!dialog.open) {
        dialog.showModal();
      }
      dialog.querySelector("button").focus();
    });
};
