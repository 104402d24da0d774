// Closes dialogs without an answer, by Escape, a tap outside or the browser's Back button, which then stays in the
// view; and asks before something that can't easily be undone. It must not know what a question is about.

import { draw, el, html, MAIN } from "./html.js";

const GUARD_STATE = { dialog: true };
/** Functions that close what is open, the topmost last. */
const closers = [];
const isGuardEntry = () => history.state?.dialog === true;
/** The address of the history entry that Back may consume, or null. */
let guardedAddress = isGuardEntry() ? location.href : null;

/** Pushes a history entry for Back to consume, or reuses the one from before. */
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
      pushGuardEntry(); // the one below stays open
    }
  } else if (wasGuarded === location.href) {
    history.back(); // the dialog was closed another way, so this Back means the page before
  }
});

/** Calls `close` on Back. Returns a function that ends this. */
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
 * Turns `dialog` into a modal one and returns a function that opens it. `returnValue` is "" unless the dialog is closed
 * by `dialog.close(answer)`.
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
 * Makes the dialog for questions. `choose({asks, title, more, answers})` returns the name of the answer, or null for
 * none; `answers` are `[name, text]`, the safe one first. `confirm({asks, title, more, yes, no})` returns true only for
 * yes. `asks` names the question.
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
