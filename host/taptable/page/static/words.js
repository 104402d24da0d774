// Every word the page shows, in the language chosen: from /words/<language>.json; the choice is kept for the next
// visit. It must not know what any word is for.

import { el } from "./html.js";
import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "taptable-language";
const NAMES = { de: "Deutsch", en: "English", fr: "Français", nl: "Nederlands" };

/** The language to begin with: the one chosen before, else the browser's first that is spoken, else the table's. */
export const firstLanguage = (languages, fallback, preferred = navigator.languages ?? []) => {
  const stored = readStored(STORAGE_KEY);
  if (stored !== null && languages.includes(stored)) {
    return stored;
  }
  const primaryTags = preferred.map((tag) => tag.toLowerCase().split("-")[0]);
  return primaryTags.find((language) => languages.includes(language)) ?? fallback;
};

/** Let the `select` in the header choose among `languages`; where it is narrow they stand there by their codes. */
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

/** The words, of the game that is played or of another `game`; empty until `use(language)` is done. */
export const makeWords = (game = null) => {
  const path = game === null ? "/words" : `/words/${game}`;
  const listeners = new Set();
  let language = "en";
  let decimal = ".";
  let texts = {};
  let requested = "";

  /** The text of a key (`"page title"`) with its `{fields}` filled in; the key itself if there is no such word. */
  const say = (key, fields = {}) =>
    (texts[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, field) => (field in fields ? String(fields[field]) : placeholder));

  /** Fill in all elements below `root` with `data-word` (text), `data-word-label` and `data-word-title`. */
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
    /** A number with `digits` places behind the language's mark. */
    number: (value, digits = 0) => value.toFixed(digits).replace(".", decimal),
    /** Call `listener(language)` after each change of language. */
    onChange: (listener) => listeners.add(listener),
    /** Change to `wanted`, unless another is chosen meanwhile; with `keep` it is the first choice of the next visit. */
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
