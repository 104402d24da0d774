// How a dialog closes without an answer: by Escape, by a tap outside, and by Back in the browser, which then stays in
// the view; and a question before something is done that can't simply be undone. It must not know what is asked.

import { draw, el, html, MAIN } from "./html.js";

const GUARD_STATE = { dialog: true };
/** What is open, as functions that close it; the last one lies on top. */
const closers = [];
const isGuardEntry = () => history.state?.dialog === true;
/** Whether the entry of the browser's history is one that Back may use up, by which address. */
let guardedAddress = isGuardEntry() ? location.href : null;

/** Put an entry on the browser's history for Back to take away; one that was put there before is used again. */
const pushGuardEntry = () => {
  if (guardedAddress !== location.href) {
    history.pushState(GUARD_STATE, "");
    guardedAddress = location.href;
  }
};

addEventListener("popstate", () => {
  const wasGuarded = guardedAddress;
  guardedAddress = isGuardEntry() ? location.href : null;
  if (guardedAddress !== null) {
    return;
  }
  const [top, hasMore] = [closers.at(-1), closers.length > 1];
  if (top !== undefined) {
    top();
    if (hasMore) {
      pushGuardEntry(); // it stays open
    }
  } else if (wasGuarded === location.href) {
    history.back(); // the dialog was closed otherwise: this Back was meant for what was before
  }
});

/** Let Back call `close`, until the function that is given back is called. */
export const closeOnBack = (close) => {
  closers.push(close);
  pushGuardEntry();
  return () => closers.splice(closers.indexOf(close), 1);
};

const isOutside = (dialog, { target, clientX, clientY }) => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
};

/**
 * A dialog that lies over all else: a function that opens it. Its `returnValue` is "" then, and stays so but for
 * `dialog.close(answer)`.
 */
export const makeModal = (dialog) => {
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressedOutside = isOutside(dialog, event);
  });
  dialog.addEventListener("click", (event) => {
    if (pressedOutside && isOutside(dialog, event)) {
      dialog.close();
    }
  });
  return () => {
    if (dialog.open) {
      return;
    }
    dialog.returnValue = "";
    dialog.showModal();
    const closed = closeOnBack(() => dialog.close());
    dialog.addEventListener("close", closed, { once: true });
  };
};

/**
 * Questions in the words of the page. `choose({asks, title, more, answers})` gives the name of an answer, null for none;
 * `answers` are names with sentences, the safe one first. `confirm({asks, title, more, yes, no})` gives true for yes
 * alone. `asks` is the name of the question.
 */
export const makeQuestionDialog = ({ say }) => {
  const data = { question: "", dialog: "question" };
  const dialog = el("dialog", { class: "box question", "aria-labelledby": "question-title", data });
  document.body.append(dialog);
  const open = makeModal(dialog);
  let resolveAnswer = () => {};
  dialog.addEventListener("close", () => resolveAnswer(dialog.returnValue || null));
  const button = ([name, text], at, { length }) => html`
    <button type="button" data-answer=${name} key=${name} onClick=${() => dialog.close(name)}
      ...${at === length - 1 ? MAIN : { class: "tool" }}>
      ${text}
    </button>
  `;

  const choose = ({ asks = "", title, more = "", answers }) =>
    new Promise((resolve) => {
      resolveAnswer(null);
      resolveAnswer = resolve;
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
