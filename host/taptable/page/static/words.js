// All texts of the page in the chosen language, from /words/<language>.json. The choice is stored for the next visit.
// It must not know where a text is used.

import { el } from "./html.js";
import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "taptable-language";
const NAMES = { de: "Deutsch", en: "English", fr: "Français", nl: "Nederlands" };

/** Returns the first language: the stored one, else the browser's first that is available, else `fallback`. */
export const firstLanguage = (languages, fallback, preferred = navigator.languages ?? []) => {
  const stored = readStored(STORAGE_KEY);
  if (stored !== null && languages.includes(stored)) {
    return stored;
  }
  const primaryTags = preferred.map((tag) => tag.toLowerCase().split("-")[0]);
  return primaryTags.find((language) => languages.includes(language)) ?? fallback;
};

/** Fills the header's `select` with `languages`; on narrow screens by their codes. */
export const fillLanguageSelect = (select, languages, words) => {
  const narrow = matchMedia("(width < 56.25rem)");
  const updateLabels = () =>
    [...select.options].forEach((option) => {
      option.textContent = narrow.matches ? option.value.toUpperCase() : (NAMES[option.value] ?? option.value);
    });
  select.append(...languages.map((code) => el("option", { value: code, lang: code })));
  updateLabels();
  narrow.addEventListener("change", updateLabels);
  select.value = words.language();
  select.addEventListener("change", () => words.use(select.value, { remember: true }));
};

/** Makes the texts of the current game, or of `game`; empty until `use(language)` resolves. */
export const makeWords = (game = null) => {
  const path = game === null ? "/words" : `/words/${game}`;
  const listeners = new Set();
  let language = "en";
  let decimal = ".";
  let texts = {};
  let requested = "";

  /** Returns the text of a key (`"page title"`) with its `{fields}` filled in; the key itself if there is none. */
  const say = (key, fields = {}) =>
    (texts[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, field) =>
      field in fields ? String(fields[field]) : placeholder,
    );

  /** Fills elements below `root` that have `data-word` (text), `data-word-label` or `data-word-title`. */
  const fill = (root) => {
    const each = (hook, apply) => root.querySelectorAll(`[data-${hook}]`).forEach(apply);
    each("word", (element) => (element.textContent = say(element.dataset.word)));
    each("word-label", (element) => (element.ariaLabel = say(element.dataset.wordLabel)));
    each("word-title", (element) => (element.title = say(element.dataset.wordTitle)));
  };

  return {
    say,
    fill,
    has: (key) => key in texts,
    language: () => language,
    /** Formats a number with `digits` decimals and the language's decimal mark. */
    number: (value, digits = 0) => value.toFixed(digits).replace(".", decimal),
    /** Calls `listener(language)` after each change of language. */
    onChange: (listener) => listeners.add(listener),
    /**
     * Loads and changes to `newLanguage`, unless another is chosen meanwhile; with `remember` it is stored for the next
     * visit.
     */
    use: async (newLanguage, { remember = false } = {}) => {
      requested = newLanguage;
      const answer = await fetch(`${path}/${newLanguage}.json`);
      if (!answer.ok) {
        throw new Error(`No words for ${newLanguage}: ${answer.status}`);
      }
      const catalogue = await answer.json();
      if (newLanguage !== requested) {
        return;
      }
      ({ language, decimal, words: texts } = catalogue);
      if (remember) {
        writeStored(STORAGE_KEY, newLanguage);
      }
      if (game === null) {
        document.documentElement.lang = language;
        fill(document);
      }
      listeners.forEach((listener) => listener(language));
    },
  };
};
