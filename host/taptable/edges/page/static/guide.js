// How to play, for who never saw the game, and the keys. The words are the game's; it must not know what they say.

import { el } from "./elements.js";

const MOST_SECTIONS = 20;

/** The guide; an annex adds its own keys by `keys.add(key, wordKey)`. */
export const makeGuide = ({ words, cards }) => {
  const sections = el("div", { class: "guide-sections" });
  const keyList = el("dl", { class: "keys" });
  const element = el("div", { class: "guide" }, sections, el("h3", { "data-word": "page keys" }), keyList);

  const draw = () => {
    const made = [];
    for (let n = 1; n <= MOST_SECTIONS && words.has(`guide guide-${n}-title`); n += 1) {
      const shown = words.has(`guide guide-${n}-cards`) ? words.say(`guide guide-${n}-cards`).split(" ") : [];
      made.push(
        el(
          "section",
          { class: "guide-section" },
          el("h3", {}, words.say(`guide guide-${n}-title`)),
          shown.length === 0
            ? null
            : el("div", { class: "guide-cards" }, ...shown.map((kind) => cards.face(`${kind}#1`, { size: "small" }))),
          el("p", {}, words.say(`guide guide-${n}-text`)),
        ),
      );
    }
    sections.replaceChildren(...made);
  };
  words.onChange(draw);
  draw();

  const keys = {
    /** Add a key (its name as printed on it, or a key of the words) and what it does. */
    add: (key, wordKey) => {
      const name = words.has(key) ? el("kbd", { "data-word": key }, words.say(key)) : el("kbd", {}, key);
      keyList.append(el("div", { class: "key" }, el("dt", {}, name), el("dd", { "data-word": wordKey }, words.say(wordKey))));
    },
  };
  keys.add("Tab", "page key-tab");
  keys.add("← →", "page key-arrows");
  return { element, keys };
};
