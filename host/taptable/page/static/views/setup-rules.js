// The house rules of a game as fields, each with what it may be: made from what the table says of them, so that any game
// has its own. It must not know a game, nor what becomes of the values.

import { el } from "../elements.js";

const S_PER_MIN = 60;

/** What stands in a field for a text as the table has it; and the way back. */
const shown = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) / S_PER_MIN) : text);
const meant = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) * S_PER_MIN) : text);

/** Is what stands in a field of numbers none that the rule takes? Nothing at all is as usual. */
const isWrong = ({ kind, least, most }, input) => {
  if (input.validity.badInput) {
    return true;
  }
  const number = Number(input.value);
  return input.value !== "" && (!(least <= number && number <= most) || (kind === "whole" && !Number.isInteger(number)));
};

const makeNumber = (rule, words, say) => {
  const { key, kind, least, most } = rule;
  const wrongId = `rule-${key}-wrong`;
  const input = el("input", {
    id: `rule-${key}`,
    type: "number",
    inputmode: kind === "seconds" ? "decimal" : "numeric",
    min: least,
    max: most,
    step: kind === "seconds" ? "any" : "1",
    "aria-describedby": wrongId,
    data: { rule: key },
  });
  const wrong = el("p", { class: "setup-field-wrong", id: wrongId, data: { wrong: key } });
  const unit = kind === "whole" ? null : el("span", { class: "setup-field-unit", "data-word": `page in-${kind}` });
  const check = () => {
    const isSo = isWrong(rule, input);
    input.setAttribute("aria-invalid", String(isSo));
    wrong.textContent = isSo
      ? words.say(`page range-${kind}`, { setting: say(`setting ${key}`), least, most })
      : "";
    return !isSo;
  };
  input.addEventListener("input", check);
  return {
    element: el(
      "div",
      { class: "setup-field" },
      el("label", { for: input.id, data: { settingWord: `setting ${key}` } }),
      el("span", { class: "setup-field-line" }, input, unit),
      wrong,
    ),
    input,
    check,
    take: (text) => {
      input.value = shown(kind, text);
      check();
    },
    text: () => meant(kind, input.value),
  };
};

/** A choice without a default has an empty text for what the edition chooses. */
const makeChoice = ({ key, words: known, default: usual }) => {
  const select = el(
    "select",
    { id: `rule-${key}`, data: { rule: key } },
    ...(usual === null ? ["", ...known] : known).map((word) => el("option", { value: word, data: { settingWord: `setting ${key}=${word}` } })),
  );
  return {
    element: el(
      "div",
      { class: "setup-field setup-field-wide" },
      el("label", { for: select.id, data: { settingWord: `setting ${key}` } }),
      el("span", { class: "setup-field-line" }, select),
    ),
    input: select,
    check: () => true,
    take: (text) => {
      select.value = text;
    },
    text: () => select.value,
  };
};

/** Fields for the `rules` of a game of the part `setup`; `element` holds them, `say` has the words of that game. */
export const makeRules = (rules, words, say) => {
  const fields = new Map(
    rules.map((rule) => [rule.key, rule.kind === "choice" ? makeChoice(rule) : makeNumber(rule, words, say)]),
  );
  const usual = new Map(rules.map(({ key, default: text }) => [key, text ?? ""]));
  rules.forEach(({ key }) => {
    if (usual.get(key) === "") {
      fields.get(key).input.dataset.none = "true";
    }
  });
  const element = el("div", { class: "setup-grid" }, ...[...fields.values()].map((field) => field.element));
  return {
    element,
    /** Say it in the language of the page. */
    speak: () => {
      words.fill(element);
      element.querySelectorAll("[data-setting-word]").forEach((each) => {
        each.textContent = say(each.dataset.settingWord);
      });
      element.querySelectorAll("[data-none]").forEach((input) => {
        input.placeholder = words.say("page setup-none");
      });
      fields.forEach((field) => field.check());
    },
    /** Show `settings`; what isn't in there is as usual. */
    take: (settings) => fields.forEach((field, key) => field.take(settings[key] ?? usual.get(key))),
    /** Look at all of them: true if nothing is wrong; else the first that is wrong is gone to. */
    check: () => {
      const wrong = [...fields.values()].filter((field) => !field.check());
      wrong[0]?.input.focus();
      return wrong.length === 0;
    },
    /** The settings as the table takes them. */
    settings: () =>
      Object.fromEntries([...fields].map(([key, field]) => [key, field.text()]).filter(([, text]) => text !== "")),
  };
};
