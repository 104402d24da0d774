// Checking the table as a dialogue, one instruction at a time: the cards of a team's rows that were tapped and those
// that weren't, then how many cards each hand holds. It must not know when a check is over.

import { el, setData, setText } from "../elements.js";
import { seatsName } from "../rows.js";
import { sign } from "../signs.js";

const MOST_IN_HAND = 20;
/** What a seat holds in a game in which that isn't told apart. */
const HAND = "hand";

/** A card by its name and number, as the table says it. */
export const cardName = (cards, card) => `${cards.name(card)} ${card.split("#")[1] ?? ""}`.trim();

const named = (cards, each) => each.map((card) => cardName(cards, card)).join(", ");

/** The list of cards to be ticked. */
const makeTicks = ({ words, cards }) => {
  const count = el("p", { class: "check-count", role: "status" });
  const list = el("ul", { class: "ticks" });
  const extra = el("p", { class: "check-extra", data: { extra: "" }, hidden: true });
  const element = el("div", { class: "check-rows" }, count, list, extra);
  let drawn = "";
  let ticks = new Map();

  const tickOf = (card) => {
    const mark = el("span", { class: "tick-mark" });
    const state = el("span", { class: "unseen" });
    const name = el("span", { class: "tick-name" }, cardName(cards, card));
    const face = cards.face(card, { size: "mini" });
    return { mark, state, element: el("li", { data: { tick: card } }, face, name, mark, state) };
  };

  return {
    element,
    draw: (checking) => {
      const now = JSON.stringify([checking.cards.map(({ card }) => card), words.language()]);
      if (now !== drawn) {
        drawn = now;
        ticks = new Map(checking.cards.map(({ card }) => [card, tickOf(card)]));
        list.replaceChildren(...[...ticks.values()].map((tick) => tick.element));
      }
      checking.cards.forEach(({ card, ticked }) => {
        const tick = ticks.get(card);
        if (tick.element.dataset.ticked !== String(ticked)) {
          setData(tick.element, "ticked", String(ticked));
          tick.mark.replaceChildren(sign(ticked ? "yes" : "nothing"));
          setText(tick.state, words.say(ticked ? "page correct-tapped" : "page correct-untapped"));
        }
      });
      const done = checking.cards.filter(({ ticked }) => ticked).length;
      setText(count, words.say("page correct-ticked", { done, all: checking.cards.length }));
      extra.hidden = checking.extra.length === 0;
      setText(extra, words.say("page correct-extra", { cards: named(cards, checking.extra) }));
    },
  };
};

/** How many cards a hand holds, from none on. */
const makeStepper = ({ words }) => {
  const value = el("output", { class: "stepper-value", data: { count: "" } });
  const less = el("button", { class: "tool", type: "button", data: { step: "less" } }, "−");
  const more = el("button", { class: "tool", type: "button", data: { step: "more" } }, "+");
  less.dataset.wordLabel = "page correct-minus";
  more.dataset.wordLabel = "page correct-plus";
  const listeners = new Set();
  let count = 0;
  const change = (wanted) => {
    count = Math.min(MOST_IN_HAND, Math.max(0, wanted));
    setText(value, String(count));
    less.setAttribute("aria-disabled", String(count === 0));
    more.setAttribute("aria-disabled", String(count === MOST_IN_HAND));
    listeners.forEach((listener) => listener(count));
  };
  less.addEventListener("click", () => change(count - 1));
  more.addEventListener("click", () => change(count + 1));
  const element = el(
    "div",
    { class: "stepper", role: "group", "data-word-label": "page correct-hand" },
    less,
    value,
    more,
  );
  words.fill(element);
  return { element, count: () => count, set: change, onChange: (listener) => listeners.add(listener) };
};

/** What has been found so far, a sentence each. */
const findings = ({ words, cards, names }, checking) => [
  ...checking.laid.map(([card, pad]) =>
    words.say("page correct-laid", { card: cardName(cards, card), seat: names.seat(pad) }),
  ),
  ...(checking.gone.length > 0 ? [words.say("page correct-gone", { cards: named(cards, checking.gone) })] : []),
  ...checking.counted.map(([seat, count, name]) =>
    name === HAND
      ? words.say("page correct-counted", { who: names.seat(seat), count })
      : words.say("page correct-counted-of", { who: names.seat(seat), what: words.say(`count-of ${name}`), count }),
  ),
];

/** The dialogue as an element; `does` asks the table. */
export const makeChecking = (page, does) => {
  const { store, words } = page;
  const ticks = makeTicks(page);
  const stepper = makeStepper(page);
  const left = el("p", { class: "check-left" });
  const whose = el("h3", { class: "running-title", id: "check-whose", tabindex: "-1" });
  const text = el("p", { class: "check-text", role: "status", data: { instruction: "" } });
  const rows = el("button", { class: "tool tool-main", type: "button", data: { do: "rows-checked" } });
  const hand = el("button", { class: "tool tool-main", type: "button", data: { do: "hand-counted" } });
  const stop = el("button", {
    class: "tool",
    type: "button",
    data: { do: "break-off" },
    "data-word": "page correct-break-off",
  });
  const found = el("ul", { class: "check-found", data: { found: "" } });
  const element = el(
    "section",
    { class: "running check", "aria-labelledby": whose.id, data: { check: "" }, hidden: true },
    left,
    whose,
    text,
    ticks.element,
    stepper.element,
    el("div", { class: "check-does" }, rows, hand, stop),
    found,
  );
  let now = null;
  let step = "";

  const drawHand = (count) => {
    if (now !== null && now.hands) {
      const key = count === now.count ? "page correct-right" : "page correct-other";
      setText(hand, words.say(count === 1 ? `${key}-1` : key, { count }));
    }
  };
  stepper.onChange(drawHand);
  rows.addEventListener("click", () => does({ do: "rows-checked", seat: now.seats[0] }));
  hand.addEventListener("click", () => does({ do: "hand-counted", seat: now.seats[0], count: stepper.count() }));
  stop.addEventListener("click", () => does({ do: "break-off" }));

  store.on("checking", (checking) => {
    now = checking ?? null;
    if (now === null) {
      step = "";
      return;
    }
    const before = step;
    step = JSON.stringify([now.seats, now.hands]);
    setText(left, words.say("page correct-to-come", { teams: now.teams_left, hands: now.hands_left }));
    setText(whose, seatsName(words, now.seats));
    setText(text, now.text);
    ticks.element.hidden = rows.hidden = now.hands;
    stepper.element.hidden = hand.hidden = !now.hands;
    if (now.hands) {
      if (step !== before) {
        stepper.set(now.count);
      }
      drawHand(stepper.count());
    } else {
      ticks.draw(now);
      const untapped = now.cards.filter(({ ticked }) => !ticked).length;
      setText(rows, words.say(untapped === 0 ? "page correct-rows" : "page correct-rows-less", { untapped }));
    }
    found.replaceChildren(...findings(page, now).map((sentence) => el("li", {}, sentence)));
    found.hidden = found.childElementCount === 0;
    if (before !== "" && step !== before && element.contains(document.activeElement)) {
      whose.focus();
    }
  });
  return element;
};
