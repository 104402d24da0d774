// A question before something is done that can't simply be undone: what it is, what comes of it, and the answers. Who
// closes it has given none. It must not know what is asked.

import { makeModal } from "./dialogs.js";
import { el } from "./elements.js";
import { MAIN, draw, html } from "./html.js";

/**
 * Questions in the words of the page. `choose({asks, title, more, answers})` gives the name of an answer, null for none;
 * `answers` are names with sentences, the safe one first. `confirm({asks, title, more, yes, no})` gives true for yes
 * alone. `asks` is the name of the question.
 */
export const makeAsking = ({ say }) => {
  const data = { question: "", dialog: "question" };
  const dialog = el("dialog", { class: "question", "aria-labelledby": "question-title", data });
  document.body.append(dialog);
  const open = makeModal(dialog);
  let answer = () => {};
  dialog.addEventListener("close", () => answer(dialog.returnValue || null));
  const button = ([name, text], at, { length }) => html`
    <button type="button" data-answer=${name} key=${name} onClick=${() => dialog.close(name)}
      ...${at === length - 1 ? MAIN : { class: "tool" }}>
      ${text}
    </button>
  `;

  const choose = ({ asks = "", title, more = "", answers }) =>
    new Promise((resolve) => {
      answer(null);
      answer = resolve;
      dialog.dataset.asks = asks;
      draw(
        dialog,
        html`
          <h2 class="heading" id="question-title">${title}</h2>
          <p class="question-more">${more}</p>
          <div class=${`question-answers ${answers.length === 2 ? "halves" : "stack gap-s"}`}>${answers.map(button)}</div>
        `,
      );
      open();
      dialog.querySelector("button").focus();
    });
  const confirm = async ({ asks, title, more, yes = say("page yes"), no = say("page no") }) => {
    const answers = [
      ["no", no],
      ["yes", yes],
    ];
    return (await choose({ asks, title, more, answers })) === "yes";
  };
  return { choose, confirm };
};
