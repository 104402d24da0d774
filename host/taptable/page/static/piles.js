// What lies in the middle of the table for everybody: piles that are only counted, the discard pile, a pyramid, and
// whatever else lies open. Each is found by its form, for it must not know the game.

import { el, setData, setText } from "./elements.js";
import { toElement } from "./html.js";
import { countText, placeName, tokenOf } from "./rows.js";

/** So many cards of the discard pile are seen where no annex takes the room. */
const FAN = 5;
const DISCARD = "discard-pile";
/** A place in a pyramid: its name, its level from the bottom on, and its number on that level. */
const IN_PYRAMID = /^(.+)-(\d+)-(\d+)$/;

const makePile = (name, words) => {
  const number = el("span", { class: "pile-number", "aria-hidden": "true" });
  const label = el("span", { class: "pile-name" });
  const told = el("span", { class: "unseen" });
  const top = el("span", { class: "pile-top" });
  const caption = el("p", { class: "pile-label" }, label, number, told);
  const pile = el("div", { class: "pile", data: { pile: name } }, top, caption);
  return {
    element: pile,
    draw: (count, faces) => {
      top.replaceChildren(...(faces.length > 0 ? faces : [el("span", { class: "pile-empty" })]));
      faces.forEach((face, at) => face.style.setProperty("--below", String(faces.length - 1 - at)));
      setData(pile, "depth", count === 0 ? "none" : count < 8 ? "low" : "high");
      setText(number, String(count));
      setText(label, words.say(words.has(`place ${name}`) ? `place ${name}` : `count-of ${name}`));
      setText(told, words.say("page pile-cards", { number: count }));
    },
  };
};

/** Something counted that is no pile: there is only so much of it. */
const counterOf = (words, count) =>
  el(
    "p",
    { class: "counter", title: countText(words, count), data: { pile: count.name } },
    el("span", { class: "pile-name", "aria-hidden": "true" }, words.say(`count-of ${count.name}`)),
    el("span", { class: "pile-number", "aria-hidden": "true" }, `${count.have}/${count.of}`),
    el("span", { class: "unseen" }, countText(words, count)),
  );

/** The levels of a pyramid's heaps, the top one first, each with its number and its heaps from left to right. */
export const levelsOf = (heaps) => {
  const levels = new Map();
  heaps.forEach((heap) => {
    const level = Number(heap.place.match(IN_PYRAMID)[2]);
    levels.set(level, [...(levels.get(level) ?? []), heap]);
  });
  return [...levels].sort(([one], [other]) => other - one);
};

const pyramidOf = (words, cards, heaps) =>
  el(
    "ol",
    { class: "pyramid", "aria-label": words.say("page pyramid"), data: { pyramid: "" } },
    ...levelsOf(heaps).map(([level, places]) =>
      el(
        "li",
        { class: "pyramid-level", data: { level: String(level) } },
        el("span", { class: "pyramid-number", "aria-hidden": "true" }, String(level)),
        el("span", { class: "unseen" }, words.say("page pyramid-level", { level })),
        ...places.map((heap) =>
          el(
            "span",
            { class: "pyramid-place", data: { place: heap.place, empty: String(heap.cards.length === 0) } },
            ...heap.cards.slice(-1).map((card) => cards.face(card, { size: "small" })),
            heap.cards.length === 0 ? el("span", { class: "unseen" }, words.say("page row-empty")) : null,
            tokenOf(words, heap),
          ),
        ),
      ),
    ),
  );

/** A heap that lies in the middle only for a while: all its cards are seen. */
const openOf = (words, cards, heap) =>
  el(
    "div",
    { class: "open-heap", role: "group", "aria-label": placeName(words, heap.place), data: { place: heap.place } },
    el("span", { class: "heap-name" }, placeName(words, heap.place)),
    el("span", { class: "open-cards" }, ...heap.cards.map((card) => cards.face(card, { size: "mini" }))),
  );

/** The piles: elements for the `stock`, the `pyramid`, the piles that are `laid` open, and what lies `open` for a while. */
export const makePiles = ({ store, words, cards, about }) => {
  const stock = el("div", { class: "stock", data: { stock: "" } });
  const pyramid = el("div", { class: "pyramids" });
  const laid = el("div", { class: "laid", data: { laid: "" } });
  const open = el("div", { class: "open-heaps" });
  const piles = new Map();
  let drawn = "";

  const pileFor = (name) => {
    if (!piles.has(name)) {
      piles.set(name, makePile(name, words));
    }
    return piles.get(name);
  };
  const drawStock = ({ stock: counts }) => {
    const elements = counts.map((count) => {
      if (count.of !== null) {
        return counterOf(words, count);
      }
      const pile = pileFor(count.name);
      pile.draw(count.have, count.have === 0 ? [] : [toElement(cards.back(count.name, "pile-back"))]);
      return pile.element;
    });
    stock.replaceChildren(...elements);
  };
  const drawHeaps = ({ heaps }) => {
    const places = heaps.filter(({ place }) => IN_PYRAMID.test(place));
    pyramid.replaceChildren(...(places.length === 0 ? [] : [pyramidOf(words, cards, places)]));
    const others = heaps.filter((heap) => !places.includes(heap));
    const lying = others.filter(({ place, cards: there }) => place !== DISCARD && there.length > 0);
    open.replaceChildren(...lying.map((heap) => openOf(words, cards, heap)));
    laid.replaceChildren(...others.filter(({ place }) => place === DISCARD).map(discardOf));
  };
  const discardOf = (heap) => {
    const seen = heap.cards.slice(about.annex === null ? -FAN : -1);
    const sizeOf = (at) => (at === seen.length - 1 ? "small" : "mini");
    const pile = pileFor(DISCARD);
    pile.draw(heap.cards.length, seen.map((card, at) => toElement(cards.face(card, { size: sizeOf(at) }))));
    return pile.element;
  };

  store.on("piles", (told) => {
    const now = JSON.stringify([told, words.language(), cards.edition()]);
    if (told !== undefined && now !== drawn) {
      drawn = now;
      drawStock(told);
      drawHeaps(told);
    }
  });
  return { stock, pyramid, laid, open };
};
