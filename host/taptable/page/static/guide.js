// How to play, for who never saw the game, and the keys. The words are the game's; it must not know what they say.

import { el } from "./elements.js";

/** The guide; an annex adds its own keys by `keys.add(key, wordKey)`. */
export const makeGuide = ({ store, words, cards, about }) => {
  const sections = el("div", { class: "guide-sections" });
  const keyList = el("dl", { class: "keys" });
  const element = el("div", { class: "guide" }, sections, el("h3", { "data-word": "page keys" }), keyList);

  /** The sections whose keys begin like `kind`, numbered from 1; `shown` are the kinds of cards beside each. */
  const sectionsOf = (kind, shown) => {
    const made = [];
    for (let n = 1; words.has(`guide ${kind}-${n}-title`); n += 1) {
      const faces = (shown[n - 1] ?? []).map((card) => cards.face(card, { size: "small" }));
      made.push(
        el(
          "section",
          { class: "guide-section" },
          el("h3", {}, words.say(`guide ${kind}-${n}-title`)),
          faces.length === 0 ? null : el("div", { class: "guide-cards" }, ...faces),
          el("p", {}, words.say(`guide ${kind}-${n}-text`, store.get("table")?.facts)),
        ),
      );
    }
    return made;
  };
  store.on("table", () => {
    sections.replaceChildren(...sectionsOf("guide", about.guide ?? []), ...sectionsOf("table", []));
  });

  const keys = {
    /** Add a key (its name as printed on it, or a key of the words) and what it does. */
    add: (key, wordKey) => {
      const name = words.has(key) ? el("kbd", { "data-word": key }, words.say(key)) : el("kbd", {}, key);
      const what = el("dd", { "data-word": wordKey }, words.say(wordKey));
      keyList.append(el("div", { class: "key" }, el("dt", {}, name), what));
    },
  };
  keys.add("Tab", "page key-tab");
  keys.add("← →", "page key-arrows");
  return { element, keys };
};
