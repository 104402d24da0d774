// Pairing this device: the table shows a code, and who types it in with a name may change things from then on. It must
// not know what they want to change.

import { el } from "./elements.js";

const DIGITS = 6;
const LONGEST_NAME = 48; // of 24 characters, some count twice
const KEPT_AS = "taptable-name";

const remembered = () => {
  try {
    return localStorage.getItem(KEPT_AS) ?? "";
  } catch {
    return "";
  }
};

const remember = (name) => {
  try {
    localStorage.setItem(KEPT_AS, name);
  } catch {
    // A browser may forbid storage: the name is asked for again next time.
  }
};

const field = (wordKey, properties) => {
  const input = el("input", { class: "pairing-input", type: "text", ...properties });
  return { input, label: el("label", { class: "pairing-field" }, el("span", { "data-word": wordKey }), input) };
};

/** A function that asks for the code, and gives true once this device is paired, false if people gave up. */
export const makePairing = ({ live, words }) => {
  const code = field("page pair-code", {
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: 2 * DIGITS,
    data: { pairing: "code" },
  });
  const name = field("page pair-name", {
    autocomplete: "nickname",
    maxlength: LONGEST_NAME,
    data: { pairing: "name" },
  });
  const more = el("p", { data: { word: "page pair-more", pairing: "more" } });
  const why = el("p", { class: "pairing-why", role: "alert", data: { pairing: "why" } });
  const another = el("button", { class: "tool", type: "button", data: { pairing: "another" } });
  const no = el("button", { class: "tool", type: "button", data: { pairing: "no" } });
  const yes = el("button", { class: "tool tool-main", type: "submit", data: { pairing: "yes" } });
  another.dataset.word = "page pair-another";
  no.dataset.word = "page pair-not";
  yes.dataset.word = "page pair-do";
  const form = el(
    "form",
    { class: "pairing", novalidate: true },
    el("h2", { class: "question-title", id: "pairing-title", "data-word": "page pair-title" }),
    more,
    code.label,
    name.label,
    why,
    el("div", { class: "question-answers" }, no, yes),
    another,
  );
  const dialog = el(
    "dialog",
    { class: "question", "aria-labelledby": "pairing-title", data: { pairing: "dialog" } },
    form,
  );
  document.body.append(dialog);
  let resolve = null;
  let busy = false;

  const explain = (sentence) => {
    why.textContent = sentence;
    why.hidden = sentence === "";
  };

  const show = async () => {
    explain("");
    code.input.value = "";
    code.input.focus();
    const shown = await live.ask({ do: "show-code" });
    if (!shown.ok) {
      explain(shown.gone ? words.say("page pair-unreached") : shown.why);
      return;
    }
    more.dataset.word = shown.shown === "display" ? "page pair-more" : `page pair-more-${shown.shown}`;
    words.fill(dialog);
  };

  const give = async () => {
    const said = { code: code.input.value.replace(/\s/g, ""), name: name.input.value, language: words.language() };
    const answer = await fetch("/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    return answer.json();
  };

  const done = (paired) => {
    if (dialog.open) {
      dialog.close();
    }
    resolve?.(paired);
    resolve = null;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const answer = await give().catch(() => ({ ok: false, why: words.say("page pair-unreached") }));
    busy = false;
    if (answer.ok) {
      remember(name.input.value);
      explain("");
      // the browser has the cookie now, and shows it on another connection
      live.again();
      return;
    }
    explain(answer.why);
    code.input.select();
    code.input.focus();
  });
  another.addEventListener("click", show);
  no.addEventListener("click", () => done(false));
  dialog.addEventListener("close", () => done(false));

  return {
    /** Ask for it; whoever asked before is told that nothing came of it. */
    pair: () => {
      resolve?.(false);
      words.fill(dialog);
      name.input.value ||= remembered();
      if (!dialog.open) {
        dialog.showModal();
      }
      show();
      return new Promise((settle) => {
        resolve = settle;
      });
    },
    /** The table knows this device. */
    paired: () => done(true),
  };
};
