// The cards in reach of a person's seat, heap by heap: large enough to read and to touch, those that count now raised,
// with a sign of where they go. Knows what may go where from the table, and no rule.

import { toElement } from "/static/html.js";
import { inOrder, padsOf } from "./choice.js";
import { arrange, make, say, set } from "./dom.js";

const LONG = 10;
const MANY = 3;

/** A seat's pad, and no other of the table's. */
const isOfSeat = (pad) => /^\d+$/.test(pad);

/** Where a card goes: to `you`, to other seats by their numbers, to a pad of the game's own, away. */
const goes = (pads, seat, you) => {
  const others = pads
    .filter((pad) => pad !== "discard" && pad !== String(seat))
    .map((pad) => (isOfSeat(pad) ? pad : "▲"))
    .sort();
  const to = [...(pads.includes(String(seat)) ? [you] : []), ...others];
  if (to.length > 0) {
    return `→ ${to.join(" ")}`;
  }
  return pads.includes("discard") ? "✕" : "";
};

/**
 * The heaps of one seat's hand.
 * @param {{words: any, cards: any}} page
 * @param {number} seat
 */
export const makeHeaps = ({ words, cards }, seat) => {
  const element = make("div", { class: "reach", tabindex: -1 });
  /** @type {Map<string, {group: HTMLElement, name: HTMLElement, list: HTMLElement}>} */
  const heaps = new Map();
  /** @type {Map<string, {button: HTMLElement, goes: HTMLElement, number: HTMLElement, language: string}>} */
  const shown = new Map();
  let about = "";

  const heapFor = (key) => {
    if (!heaps.has(key)) {
      const name = make("span", { class: "reach-name" });
      const list = make("span", { class: "reach-cards" });
      heaps.set(key, { group: make("div", { class: "reach-heap", role: "group" }, name, list), name, list });
    }
    return heaps.get(key);
  };

  const cardFor = (card, place) => {
    const key = `${card} ${place}`;
    const kept = shown.get(key);
    const language = `${words.language()} ${cards.edition()}`;
    if (kept !== undefined && kept.language === language) {
      return kept;
    }
    const sign = make("span", { class: "goes", "aria-hidden": "true" });
    const number = make("kbd", { class: "card-key", "aria-hidden": "true" });
    const face = toElement(cards.face(card, { size: "large" }));
    face.setAttribute("aria-hidden", "true");
    // the button is the card: one element with this name
    delete face.dataset.card;
    const button = kept?.button ?? make("button", { class: "own-card", data: { card, place } });
    button.replaceChildren(face, sign, number);
    const made = { button, goes: sign, number, language };
    shown.set(key, made);
    return made;
  };

  const padName = (pad) => {
    if (pad === "discard") {
      return words.say("page pad-discard");
    }
    if (!isOfSeat(pad)) {
      return words.say(`pad ${pad}`);
    }
    return words.say(pad === String(seat) ? "page pad-own" : "page pad-of", { seat: pad });
  };

  const heapName = (heap) => {
    const place = `place ${heap.place}`;
    const name = words.has(place) ? words.say(place) : cards.name(heap.place);
    return heap.place === "hand" || heap.seats.length === 0 ? name : `${name} ${heap.seats.join("+")}`;
  };

  const drawCard = (card, place, index, { hand, chosen, busy }) => {
    const drawn = cardFor(card, place);
    const pads = padsOf(card, hand.fair);
    const holds = padsOf(card, hand.holds).length > 0;
    const inHand = place === "hand";
    const playable = holds || (inHand ? pads.some((pad) => pad !== "discard") : pads.length > 0);
    set(drawn.button, "data-playable", playable);
    set(drawn.button, "aria-pressed", chosen === card);
    set(drawn.button, "aria-disabled", busy ? "true" : null);
    set(drawn.button, "data-many", playable && pads.length > MANY);
    say(drawn.goes, playable ? goes(pads, seat, words.say("page you")) || "◔" : "");
    say(drawn.number, index < 9 ? String(index + 1) : "");
    const name = cards.name(card);
    set(drawn.button, "data-long", name.split(/[ -]/).some((word) => word.length > LONG));
    const where = [...pads.map(padName), ...(holds ? [words.say("page hand-holds")] : [])].join(", ");
    set(drawn.button, "aria-label", where ? words.say("page hand-goes", { card: name, pads: where }) : name);
    return drawn.button;
  };

  /** Where the cards that count aren't in the hand, begin with them. */
  const showAbout = (hand) => {
    const may = new Set(hand.fair.map(([card]) => card));
    const first = hand.heaps.find((heap) => heap.cards.some((card) => may.has(card)));
    const key = first && first.place !== "hand" ? `${first.place} ${first.seats}` : "";
    if (key !== about) {
      about = key;
      const button = key ? shown.get(`${first.cards.find((card) => may.has(card))} ${first.place}`).button : null;
      const before = button?.previousElementSibling ? button.offsetWidth / 2 : 8;
      const left = button
        ? button.getBoundingClientRect().left - element.getBoundingClientRect().left + element.scrollLeft - before
        : 0;
      element.scrollTo({ left, behavior: "instant" });
    }
  };

  const buttonsNow = () => [...element.querySelectorAll("button")];

  /** Where the card that had the focus is gone, its neighbour has it. */
  const keepFocus = (before) => {
    if (before >= 0 && !element.contains(document.activeElement)) {
      const buttons = buttonsNow();
      (buttons[Math.min(before, buttons.length - 1)] ?? element).focus({ preventScroll: true });
    }
  };

  return {
    element,
    /** Draw what lies before the person; `chosen` is a card id or null. */
    draw(hand, chosen, busy) {
      const focused = buttonsNow().indexOf(document.activeElement);
      let index = 0;
      const used = new Set();
      const groups = hand.heaps.map((heap) => {
        const drawn = heapFor(`${heap.place} ${heap.seats}`);
        const name = heapName(heap);
        say(drawn.name, name);
        set(drawn.group, "aria-label", name);
        set(drawn.group, "data-place", heap.place);
        const buttons = inOrder(heap, hand.fair).map((card) => {
          used.add(`${card} ${heap.place}`);
          const button = drawCard(card, heap.place, index, { hand, chosen, busy });
          index += 1;
          return button;
        });
        arrange(drawn.list, buttons);
        return drawn.group;
      });
      arrange(element, groups);
      keepFocus(focused);
      [...shown.keys()].forEach((key) => !used.has(key) && shown.delete(key));
      showAbout(hand);
    },
    /** Whether any card counts now. */
    anyCounts: () => element.querySelector('[data-playable="true"]') !== null,
    /** The button of a card, if it is in reach. */
    button: (card) => element.querySelector(`button[data-card="${CSS.escape(card)}"]`),
  };
};
