// Every word the page shows, in the language chosen: from /words/<language>.json; the choice is kept for the next
// visit. It must not know what any word is for.

import { el } from "./html.js";
import { keepAs, kept } from "./storage.js";

const KEPT_AS = "taptable-language";
const NAMES = { de: "Deutsch", en: "English", fr: "Français", nl: "Nederlands" };

/** The language to begin with: the one chosen before, else the browser's first that is spoken, else the table's. */
export const firstLanguage = (languages, fallback, wanted = navigator.languages ?? []) => {
  const before = kept(KEPT_AS);
  if (before !== null && languages.includes(before)) {
    return before;
  }
  const short = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return short.find((language) => languages.includes(language)) ?? fallback;
};

/** Let the `select` in the header choose among `languages`; where it is narrow they stand there by their codes. */
export const offerLanguages = (select, languages, words) => {
  const narrow = matchMedia("(width < 56.25rem)");
  const name = () =>
    [...select.options].forEach((option) => {
      option.textContent = narrow.matches ? option.value.toUpperCase() : (NAMES[option.value] ?? option.value);
    });
  select.append(...languages.map((code) => el("option", { value: code, lang: code })));
  name();
  narrow.addEventListener("change", name);
  select.value = words.language();
  select.addEventListener("change", () => words.use(select.value, { keep: true }));
};

/** The words, of the game that is played or of another `game`; empty until `use(language)` is done. */
export const makeWords = (game = null) => {
  const path = game === null ? "/words" : `/words/${game}`;
  const listeners = new Set();
  let language = "en";
  let decimal = ".";
  let known = {};
  let chosen = "";

  /** The text of a key (`"page title"`) with its `{fields}` filled in; the key itself if there is no such word. */
  const say = (key, fields = {}) =>
    (known[key] ?? key).replace(/\{(\w+)\}/g, (open, field) => (field in fields ? String(fields[field]) : open));

  /** Fill in all elements below `root` with `data-word` (text), `data-word-label` and `data-word-title`. */
  const fill = (root) => {
    const each = (hook, does) => root.querySelectorAll(`[data-${hook}]`).forEach(does);
    each("word", (element) => (element.textContent = say(element.dataset.word)));
    each("word-label", (element) => (element.ariaLabel = say(element.dataset.wordLabel)));
    each("word-title", (element) => (element.title = say(element.dataset.wordTitle)));
  };

  return {
    say,
    fill,
    has: (key) => key in known,
    language: () => language,
    /** A number with `digits` places behind the language's mark. */
    number: (value, digits = 0) => value.toFixed(digits).replace(".", decimal),
    /** Call `listener(language)` after each change of language. */
    onChange: (listener) => listeners.add(listener),
    /** Change to `wanted`, unless another is chosen meanwhile; with `keep` it is the first choice of the next visit. */
    use: async (wanted, { keep = false } = {}) => {
      chosen = wanted;
      const answer = await fetch(`${path}/${wanted}.json`);
      if (!answer.ok) {
        throw new Error(`No words for ${wanted}: ${answer.status}`);
      }
      const told = await answer.json();
      if (wanted !== chosen) {
        return;
      }
      ({ language, decimal, words: known } = told);
      if (keep) {
        keepAs(KEPT_AS, wanted);
      }
      if (game === null) {
        document.documentElement.lang = language;
        fill(document);
      }
      listeners.forEach((listener) => listener(language));
    },
  };
};
