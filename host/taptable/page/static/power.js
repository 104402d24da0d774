// Switching the table off: a button that asks once more, and says why where it couldn't be done. What happens then, the
// table itself tells like everything else.

import { el } from "./elements.js";
import { sign } from "./signs.js";

const choice = (wordKey, hook, onClick, before = null) => {
  const label = el("span", { "data-word": wordKey });
  const button = el("button", { class: "tool", type: "button", data: { power: hook } }, before, label);
  button.addEventListener("click", onClick);
  return button;
};

/** The button and its question, as one element. */
export const makePowerOff = (page) => {
  const why = el("p", { class: "power-why", role: "alert", data: { powerWhy: "" }, hidden: true });
  const explain = (sentence) => {
    why.textContent = sentence;
    why.hidden = sentence === "";
  };
  const ask = (asking) => {
    begin.hidden = asking;
    question.hidden = !asking;
    (asking ? no : begin).focus();
  };
  const begin = choice(
    "page power-off",
    "ask",
    () => {
      explain("");
      ask(true);
    },
    sign("power"),
  );
  const no = choice("page power-off-no", "no", () => ask(false));
  const yes = choice(
    "page power-off-yes",
    "yes",
    async () => {
      const answer = await page.ask({ do: "power-off" });
      explain(answer.why ?? "");
      ask(false);
    },
    sign("power"),
  );
  const sure = el("p", { "data-word": "page power-off-sure" });
  const question = el(
    "div",
    { class: "power-question", role: "group", "data-word-label": "page power-off", hidden: true },
    sure,
    no,
    yes,
  );
  return el("div", { class: "power" }, begin, question, why);
};
