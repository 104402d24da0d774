// What the table said of a person's last action: its sentences, the rule, and after a refusal when the card would count.
// Knows the table's own words only.

import { html } from "/static/html.js";

const SIGNS = { announced: "✓", refused: "✕", ignored: "–", fault: "!", notice: "•" };
const STAYS_MS = 12000;
/** A refusal is longer, and somebody thinks about it. */
const REFUSED_STAYS_MS = 30000;

/**
 * The answer of a seat: `show` takes one, `view` draws it.
 * @param {{words: any}} page
 * @param {number} seat
 */
export const makeAnswer = ({ words }, seat) => {
  const nothing = { lines: [], kind: null };
  let shown = nothing;
  let number = 0;
  let timer = 0;
  let onCleared = () => {};

  const clear = () => {
    shown = nothing;
    onCleared();
  };
  // each answer has elements of its own: the same sentence a second time is read out too
  const line = ({ kind, text, rule, when }, at) => html`
    <p class="said" key=${`${number} ${at}`} data-kind=${kind}>
      <span class="said-sign" aria-hidden="true">${SIGNS[kind] ?? "•"}</span>
      <span class="said-text">${text}${when && html` <span class="said-when">${when}</span>`}</span>
      ${rule && html` <span class="said-rule">${rule}</span>`}
    </p>
  `;

  return {
    onCleared: (listener) => {
      onCleared = listener;
    },
    /** @param {import("./actions.js").Answer} answer */
    show({ action, said: all, why }) {
      clearTimeout(timer);
      number += 1;
      // of a card that is held the tap says first that it lies there already
      const held = all.some((item) => item.kind === "announced");
      const said = all.filter((item) => !held || item.kind !== "ignored");
      const isSilent = said.length === 0 && !why && ["tap", "hold", "tap-control", "press"].includes(action);
      const lines = [
        ...said,
        ...(why ? [{ kind: "refused", text: why }] : []),
        ...(isSilent ? [{ kind: "ignored", text: words.say("page nothing-said") }] : []),
      ];
      const bad = lines.some(({ kind }) => kind === "refused" || kind === "fault");
      shown = lines.length === 0 ? nothing : { lines, kind: bad ? "refused" : lines[0].kind };
      if (lines.length > 0) {
        timer = setTimeout(clear, bad ? REFUSED_STAYS_MS : STAYS_MS);
      }
    },
    view: () => html`
      <div class="answer" role="status" data-answer=${seat} data-kind=${shown.kind}>
        ${shown.lines.map(line)}
      </div>
    `,
  };
};
