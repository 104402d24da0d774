// The hardware of the table: at each seat a pad with its ring and an arcade button with its lamp, in the centre the
// display and the discard pad. Shows what the models say, faults included; knows no rule.

import { toElement } from "/static/html.js";
import { arrange, make, say, set } from "./dom.js";
import { makeGlass } from "./glass.js";
import { makeRing, SIGNS } from "./rings.js";

/**
 * Build the hardware into the slots, and follow it.
 * @param {any} page
 * @param {ReturnType<import("./choice.js").makeChoice>} choice
 * @param {ReturnType<import("./deeds.js").makeDeeds>} deeds
 * @param {() => void} needCard told when a pad was clicked and no card is chosen
 */
export const makeHardware = (page, choice, deeds, needCard) => {
  const { store, slots, words } = page;
  /** @type {Map<number, ReturnType<typeof makeSeat>>} */
  const seats = new Map();
  const centre = makeCentre(page);
  slots.centre.append(centre.element);

  const tapped = (event) => {
    const pad = event.target.closest?.("button[data-pad]");
    const button = event.target.closest?.("button[data-button]");
    if (pad) {
      const { seat, card } = choice;
      if (card === null) {
        needCard();
        return;
      }
      choice.choose(null);
      deeds.tap(seat, card, pad.dataset.pad);
    } else if (button && button.getAttribute("aria-disabled") !== "true") {
      deeds.press(Number(button.dataset.button));
    }
  };
  document.addEventListener("click", tapped);

  const draw = () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return;
    }
    const people = choice.seats();
    const meanings = new Map((store.get("seats") ?? []).map((seat) => [seat.seat, seat.meaning]));
    hardware.seats.forEach((state) => {
      if (!seats.has(state.seat)) {
        seats.set(state.seat, makeSeat(page, state.seat));
      }
      const made = seats.get(state.seat);
      const slot = slots.seat(state.seat);
      if (made.element.parentElement !== slot) {
        slot.append(made.element);
      }
      made.draw(state, meanings.get(state.seat) ?? null, people.includes(state.seat), hardware.daemon === "up");
    });
    centre.draw(hardware);
    mark();
  };

  /** Light the pads where the chosen card may go. */
  const mark = () => {
    const targets = choice.targets();
    const asking = choice.card !== null;
    document.querySelectorAll("button[data-pad]").forEach((pad) => {
      set(pad, "data-target", targets.includes(pad.dataset.pad));
      set(pad, "data-asking", asking);
    });
  };

  ["hardware", "seats", "hands"].forEach((part) => store.on(part, draw));
  store.on("glass", (glass) => glass && centre.glass.show(glass));
  choice.follow(mark);
  words.onChange(() => seats.forEach((seat) => seat.again()));
};

/** The cards that lie on a pad, as small faces. */
const drawLying = (place, lying, cards) => {
  const kept = new Map([...place.children].map((child) => [child.dataset.lies, child]));
  arrange(
    place,
    lying.map((card) => {
      if (kept.has(card)) {
        return kept.get(card);
      }
      const face = toElement(cards.face(card, { size: "mini" }));
      face.dataset.lies = card;
      delete face.dataset.card;
      return face;
    }),
  );
};

/** Small signs with a word for what is wrong with a part. */
const drawFaults = (place, faults, words) => {
  arrange(
    place,
    faults.map((fault) => {
      const chip =
        place.querySelector(`[data-wrong="${fault}"]`) ?? make("span", { class: "wrong", data: { wrong: fault } });
      say(chip, words.say(`page wrong-${fault}`));
      return chip;
    }),
  );
};

const makeSeat = ({ words, cards, store, about }, seat) => {
  const ring = makeRing(about.annex.rings, () => store.nowUs());
  const lying = make("span", { class: "pad-cards" });
  const sign = make("span", { class: "ring-sign", "aria-hidden": "true" });
  const pad = make("button", { class: "pad", data: { pad: seat } }, ring.element, lying, sign);
  const button = make(
    "button",
    { class: "arcade", data: { button: seat } },
    make("span", { class: "arcade-cap", "aria-hidden": "true" }),
  );
  const wrong = make("span", { class: "wrongs" });
  const element = make("div", { class: "gear", data: { gear: seat } }, pad, button, wrong);
  let named = "";

  const name = (state, pattern, own) => {
    const left = ring.leftS();
    const facts = { seat, ring: words.say(`page ring-${pattern}`), left };
    const faults = faultsOf(state).map((fault) => words.say(`page wrong-${fault}`));
    const lies = state.cards.map((card) => cards.name(card));
    const text = words.say(left === null ? "page pad-name" : "page pad-name-left", facts);
    set(pad, "aria-label", [text, ...lies, ...faults].join(", "));
    const lamp = words.say(`page lamp-${state.lamp.pattern}`);
    const what = button.dataset.meaning
      ? words.say(`meaning ${button.dataset.meaning}`)
      : words.say("page button-none");
    set(button, "aria-label", words.say("page button-name", { seat, meaning: what, lamp }));
    set(button, "title", own ? what : null);
  };

  return {
    element,
    again: () => {
      named = "";
    },
    draw(state, means, own, alive) {
      const shown = state.ring ?? { pattern: "off" };
      const pattern = state.board === "out" || !alive ? "off" : shown.pattern;
      ring.show(pattern === "off" ? { pattern } : shown);
      set(pad, "data-ring", pattern);
      pad.style.setProperty("--ring", ring.colour() ?? "");
      set(pad, "data-ringless", state.ring === null ? "true" : null);
      say(sign, SIGNS[pattern]);
      drawLying(lying, state.cards, cards);
      set(button, "data-lit", state.lamp.lit);
      set(button, "data-lamp", state.lamp.pattern);
      set(button, "data-meaning", means ?? "");
      set(button, "data-stuck", state.stuck ? "true" : null);
      set(button, "aria-disabled", own ? null : "true");
      set(button, "data-own", own);
      set(element, "data-own", own);
      set(element, "data-board", state.board ?? "none");
      set(element, "data-deaf", state.deaf);
      set(element, "data-noisy", state.noisy);
      drawFaults(wrong, faultsOf(state), words);
      const key = JSON.stringify([pattern, state, means, own]);
      if (key !== named) {
        named = key;
        name(state, pattern, own);
      }
    },
  };
};

const faultsOf = (state) => [
  ...(state.board === "out" ? ["board-out"] : []),
  ...(state.deaf ? ["deaf"] : []),
  ...(state.noisy ? ["noisy"] : []),
  ...(state.stuck ? ["stuck"] : []),
];

/** A pad that is no seat's: the discard pad, or one of the game's own. */
const makePad = ({ words, cards }, name) => {
  const lying = make("span", { class: "pad-cards" });
  const pad = make("button", { class: "pad pad-discard", data: { pad: name } }, lying);
  const caption = make("span", { class: "pad-caption", "aria-hidden": "true" });
  const wrong = make("span", { class: "wrongs" });
  const element = make("div", { class: "discard-gear", data: { padOf: name } }, pad, caption, wrong);
  const called = (key) => words.say(words.has(`page ${key}`) ? `page ${key}` : `pad ${name}`);
  return {
    element,
    draw(state) {
      drawLying(lying, state.cards, cards);
      const faults = state.deaf ? ["deaf"] : [];
      drawFaults(wrong, faults, words);
      set(element, "data-deaf", state.deaf);
      say(caption, called(`pad-${name}-short`));
      const lies = state.cards.map((card) => cards.name(card));
      const wrongs = faults.map((fault) => words.say(`page wrong-${fault}`));
      set(pad, "aria-label", [called(`pad-${name}`), ...lies, ...wrongs].join(", "));
    },
  };
};

const makeCentre = (page) => {
  const { words } = page;
  const glass = makeGlass();
  const discard = makePad(page, "discard");
  /** @type {Map<string, ReturnType<typeof makePad>>} */
  const others = new Map();
  const element = make("div", { class: "centre-gear" }, glass.element, discard.element);
  return {
    element,
    glass,
    draw({ discard: state, pads, display }) {
      glass.plugged(display === "in");
      glass.label(words.say("page oled"), words.say("page oled-out"));
      discard.draw(state);
      pads.forEach((each) => {
        if (!others.has(each.pad)) {
          const made = makePad(page, each.pad);
          others.set(each.pad, made);
          element.append(made.element);
        }
        others.get(each.pad).draw(each);
      });
    },
  };
};
