// Pairing this device: the table shows a code, and who types it in with a name may change things from then on. It must
// not know what they want to change.

import { makeModal } from "./dialogs.js";
import { el } from "./elements.js";
import { MAIN, draw, html } from "./html.js";
import { keepAs, kept } from "./kept.js";

const DIGITS = 6;
const LONGEST_NAME = 48; // of 24 characters, some count twice
const KEPT_AS = "taptable-name";

/** Asks for the code: `pair()` gives true once this device is paired, false if people gave up. */
export const makePairing = ({ live, words }) => {
  const { say } = words;
  const data = { pairing: "dialog", dialog: "pairing" };
  const dialog = el("dialog", { class: "question", "aria-labelledby": "pairing-title", data });
  document.body.append(dialog);
  const open = makeModal(dialog);
  let resolve = null;
  let busy = false;
  let code = "";
  let name = "";
  let why = "";
  /** Where the table shows the code. */
  let shown = "display";

  const set = (change) => {
    change();
    draw(dialog, view());
  };
  const focusCode = () => dialog.querySelector("input").focus();

  const show = async () => {
    set(() => ([why, code] = ["", ""]));
    focusCode();
    const answer = await live.ask({ do: "show-code" });
    set(() => {
      shown = answer.ok ? answer.shown : shown;
      why = answer.ok ? "" : answer.gone ? say("page pair-unreached") : answer.why;
    });
  };
  const give = async () => {
    const said = { code: code.replace(/\s/g, ""), name, language: words.language() };
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/pair", { method: "POST", headers, body: JSON.stringify(said) });
    return answer.json();
  };
  const done = (paired) => {
    if (dialog.open) {
      dialog.close();
    }
    resolve?.(paired);
    resolve = null;
  };
  const send = async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const answer = await give().catch(() => ({ ok: false, why: say("page pair-unreached") }));
    busy = false;
    set(() => (why = answer.ok ? "" : answer.why));
    if (answer.ok) {
      keepAs(KEPT_AS, name);
      // the browser has the cookie now, and shows it on another connection
      live.again();
    } else {
      dialog.querySelector("input").select();
      focusCode();
    }
  };
  dialog.addEventListener("close", () => done(false));
  words.onChange(() => set(() => {}));

  const field = (hook, wordKey, value, change, of) => html`
    <label class="stack gap-xs strong">
      <span>${say(wordKey)}</span>
      <input class="pairing-input" type="text" data-pairing=${hook} value=${value}
        onInput=${({ target }) => change(target.value)} ...${of} />
    </label>
  `;
  const ofCode = { inputmode: "numeric", autocomplete: "one-time-code", maxlength: 2 * DIGITS };
  const button = (hook, wordKey, of) => html`<button data-pairing=${hook} ...${of}>${say(wordKey)}</button>`;
  const tool = (does) => ({ class: "tool", type: "button", onClick: does });
  const view = () => html`
    <form class="stack" novalidate data-form="pairing" onSubmit=${send}>
      <h2 class="heading" id="pairing-title">${say("page pair-title")}</h2>
      <p data-pairing="more">${say(shown === "display" ? "page pair-more" : `page pair-more-${shown}`)}</p>
      ${field("code", "page pair-code", code, (text) => (code = text), ofCode)}
      ${field("name", "page pair-name", name, (text) => (name = text), { autocomplete: "nickname", maxlength: LONGEST_NAME })}
      <p class="remark" data-mood="bad" role="alert" data-pairing="why">${why}</p>
      <div class="halves">
        ${button("no", "page pair-not", tool(() => done(false)))} ${button("yes", "page pair-do", { ...MAIN, type: "submit" })}
      </div>
      ${button("another", "page pair-another", tool(show))}
    </form>
  `;

  return {
    /** Ask for it; whoever asked before is told that nothing came of it. */
    pair: () => {
      resolve?.(false);
      name ||= kept(KEPT_AS) ?? "";
      set(() => {});
      open();
      show();
      return new Promise((settle) => {
        resolve = settle;
      });
    },
    /** The table knows this device. */
    paired: () => done(true),
  };
};
