// The dock: the hands of the seats a person plays, with what can be done now, the own button, and what the table said.
// Knows what may be done from the table, and no rule.

import { toElement } from "/static/html.js";
import { arrange, make, reachable, say, set } from "./dom.js";
import { letDrag } from "./drag.js";
import { makeActions } from "./actions.js";
import { makeHeaps } from "./heaps.js";
import { makeMenu, seatsToTake } from "./menu.js";
import { makeAnswer } from "./answer.js";

/** Deeds by which a card is played. */
const CARDS = new Set(["tap", "put", "hold"]);

/**
 * Build the dock into `page.slots.dock`.
 * @param {any} page
 * @param {ReturnType<import("./choice.js").makeChoice>} choice
 * @param {ReturnType<import("./deeds.js").makeDeeds>} deeds
 */
export const makeDock = (page, choice, deeds) => {
  const { words, store, slots } = page;
  const seats = make("nav", { class: "dock-seats" });
  const looking = makeLooking(page, deeds);
  const root = make("div", { class: "dock-hands" }, seats, looking.element);
  slots.dock.append(root);
  /** @type {Map<number, ReturnType<typeof makeHand>>} */
  const hands = new Map();
  let faced = null;
  /** Until the first card of this person has counted. */
  let fresh = true;

  seats.addEventListener("click", (event) => {
    const chosen = event.target.closest("button");
    if (chosen !== null) {
      choice.sit(Number(chosen.dataset.take));
    }
  });

  const drawSeats = (played) => {
    const turn = store.get("turn")?.seat;
    set(seats, "aria-label", words.say("page hand-seats"));
    set(seats, "hidden", played.length > 1 ? null : "");
    const buttons = played.map((seat) => {
      const button =
        seats.querySelector(`[data-take="${seat}"]`) ?? make("button", { class: "take", data: { take: seat } });
      say(button, `${seat === turn ? "▸ " : ""}${seat}`);
      set(button, "aria-label", words.say("page seat", { seat }));
      set(button, "aria-pressed", seat === choice.seat);
      return button;
    });
    arrange(seats, buttons);
  };

  const draw = () => {
    const played = choice.seats();
    played.forEach((seat) => {
      if (!hands.has(seat)) {
        const made = makeHand(page, choice, deeds, seat, () => fresh);
        hands.set(seat, made);
        root.append(made.element);
        words.fill(made.element);
      }
    });
    [...hands].forEach(([seat, made]) => {
      if (!played.includes(seat)) {
        made.element.remove();
        hands.delete(seat);
      }
    });
    drawSeats(played);
    looking.draw(played.length === 0);
    hands.forEach((made, seat) => {
      made.element.hidden = seat !== choice.seat;
      if (seat === choice.seat) {
        made.draw();
      }
    });
    root.style.setProperty("--hands", String(played.length));
    // not body:has(…), for which each element that comes or goes anywhere would have everything styled anew
    set(document.body, "data-seated", played.length > 0 || null);
    slots.mine(played);
    if (choice.seat !== faced) {
      faced = choice.seat;
      if (played.length === 1) {
        slots.own(faced);
      }
    }
  };

  /** One person plays several seats: the hand of the one on turn comes to the top, unless a card is chosen. */
  let turn = null;
  store.on("turn", (now) => {
    if (now && now.seat !== turn) {
      turn = now.seat;
      if (choice.card === null && choice.seats().includes(turn)) {
        choice.sit(turn);
      }
    }
    draw();
  });
  store.on("piles", () => draw());
  store.on("hands", () => choice.settle());
  store.on("demo", () => draw());
  choice.follow(draw);
  deeds.follow((answer) => {
    if (answer !== null) {
      fresh &&= !(CARDS.has(answer.deed) && answer.said.some(({ kind }) => kind === "announced"));
      hands.get(answer.seat)?.answer(answer);
    }
    draw();
  });
  return { hand: () => hands.get(choice.seat) };
};

/** What stands in the dock while nobody plays here. */
const makeLooking = ({ words, store }, deeds) => {
  const seats = make("div", { class: "looking-seats" });
  const element = make(
    "section",
    { class: "looking", "aria-labelledby": "looking-on", hidden: "" },
    make("p", { class: "looking-text", id: "looking-on", word: "page looking-on" }),
    seats,
  );
  seats.addEventListener("click", (event) => {
    const chosen = event.target.closest("button");
    if (chosen !== null) {
      deeds.sit(Number(chosen.dataset.at));
    }
  });
  return {
    element,
    draw(wanted) {
      const { players = 0, people = [] } = store.get("demo") ?? {};
      element.hidden = !wanted || players === 0;
      if (wanted) {
        arrange(seats, seatsToTake(players, people, seats, words, { short: true }));
      }
    },
  };
};

/** Is a reshuffle what the table waits for? A game with controls of its own lists it among them. */
const mustShuffle = ({ store, about }) =>
  about.controls.length > 0
    ? (store.get("controls") ?? []).some(({ control }) => control === "reshuffle")
    : (store.get("piles")?.stock ?? []).some(({ have }) => have === 0);

/** One seat's hand; while it `isFresh` it is said how a card is played. */
const makeHand = (page, choice, deeds, seat, isFresh) => {
  const { words, cards, store } = page;
  const now = make("p", { class: "own-now" });
  const hint = make("p", { class: "own-hint" });
  const heaps = makeHeaps(page, seat);
  const menu = makeMenu(page, deeds, seat);
  const answer = makeAnswer(page, seat);
  const press = make("button", { class: "press", data: { do: "press" } });
  const pressWord = make("strong", { class: "press-word" });
  const pressKey = make("kbd", { class: "press-key", word: "page space", "aria-hidden": "true" });
  press.append(pressWord, pressKey);
  const pads = make("div", { class: "own-pads", role: "group" });
  const hold = make("button", { class: "deed", data: { do: "hold" }, word: "page do-hold" });
  const discard = make("button", { class: "deed", data: { do: "discard" }, word: "page do-discard" });
  const draw = make("button", { class: "deed", data: { do: "draw" }, word: "page do-draw" });
  const shuffle = make("button", { class: "deed deed-fits", data: { do: "reshuffle" }, word: "control reshuffle" });
  const again = make("button", { class: "deed deed-fits", data: { do: "again" }, word: "control new-game" });
  const actions = makeActions(page, deeds, seat);
  const rows = make("button", { class: "deed", data: { do: "tap-rows" }, word: "page do-tap-rows" });
  const element = make(
    "section",
    { class: "own", data: { hand: seat } },
    make("div", { class: "own-head" }, make("div", { class: "own-words" }, now, answer.element, hint), menu.element),
    heaps.element,
    make("div", { class: "own-deeds" }, press, pads, hold, discard, draw, rows, shuffle, again),
    actions.element,
  );

  heaps.element.addEventListener("click", (event) => {
    const card = event.target.closest("button[data-card]")?.dataset.card;
    if (card !== undefined) {
      choice.choose(choice.card === card ? null : card);
    }
  });
  letDrag(heaps.element, {
    may: () => choice.seat === seat,
    ghost: (card) => toElement(cards.face(card.dataset.card, { size: "large" })),
    begin: (card) => choice.choose(card, { drag: true }),
    rest: (card, pad) => deeds.put(seat, card, pad),
    lift: (card, pad) => deeds.lift(seat, card, pad),
    drop: (card, pad) => deeds.tap(seat, card, pad),
    end: () => choice.choose(null),
  });
  element.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-do]");
    const card = choice.card;
    switch (asked?.dataset.do) {
      case "press":
        deeds.press(seat);
        break;
      case "draw":
        deeds.draw(seat);
        break;
      case "tap-rows":
        deeds.tapRows(seat);
        break;
      case "reshuffle":
        deeds.control(seat, "reshuffle");
        break;
      case "again":
        deeds.control(seat, "new-game");
        break;
      case "tap":
      case "discard":
      case "hold":
        if (card !== null) {
          doWith(asked.dataset.do, card, asked.dataset.at);
        }
        break;
      default:
    }
  });

  const doWith = (what, card, at) => {
    choice.choose(null);
    if (what === "hold") {
      deeds.hold(seat, card, seat);
    } else {
      deeds.tap(seat, card, what === "discard" ? "discard" : at);
    }
  };

  const drawPads = () => {
    const wanted = choice.targets().filter((pad) => pad !== "discard");
    set(pads, "aria-label", words.say("page hand-pads"));
    arrange(
      pads,
      wanted.map((pad) => {
        const button =
          pads.querySelector(`[data-at="${pad}"]`) ??
          make("button", { class: "deed deed-fits", data: { do: "tap", at: pad } });
        const own = pad === String(seat);
        const ofSeat = /^\d+$/.test(pad);
        const named = ofSeat ? `▼ ${pad}` : `▲ ${words.say(`pad ${pad}`)}`;
        say(button, own ? words.say("page do-tap-own") : named);
        set(button, "aria-label", own || !ofSeat ? null : words.say("page do-tap-at", { seat: pad }));
        return button;
      }),
    );
  };

  return {
    element,
    heaps,
    answer: answer.show,
    draw() {
      const hand = choice.hand();
      if (hand === undefined) {
        return;
      }
      const busy = deeds.busy(seat);
      set(element, "aria-label", words.say("page hand-of", { seat }));
      set(element, "data-busy", busy);
      set(element, "aria-busy", busy);
      say(now, hand.now ?? "");
      const { card } = choice;
      heaps.draw(hand, card, busy);
      const first = isFresh() && hand.meaning === "stop" && heaps.anyCounts();
      const idle = hand.owed ?? (first ? words.say("page hand-first") : hand.hint);
      const somewhere = choice.targets().length > 0 || choice.holds();
      const where = somewhere ? "page hand-where" : "page hand-nowhere";
      const what = card === null ? idle : words.say(where, { card: cards.name(card) });
      if (say(hint, what ?? "")) {
        reachable(hint);
      }
      set(hint, "data-owed", card === null && hand.owed !== null);
      const means = hand.meaning ?? "none";
      say(pressWord, words.say(words.has(`page press-${means}`) ? `page press-${means}` : `meaning ${means}`));
      set(press, "data-meaning", hand.meaning ?? "");
      drawPads();
      const none = card === null || choice.dragged;
      set(element, "data-choosing", !none);
      set(hold, "disabled", none ? "" : null);
      set(hold, "data-fits", !none && choice.holds());
      set(discard, "disabled", none ? "" : null);
      set(discard, "data-fits", !none && choice.targets().includes("discard"));
      set(draw, "hidden", hand.may_draw && none ? null : "");
      set(rows, "hidden", hand.meaning === "check" ? null : "");
      const over = Boolean(store.get("turn")?.over);
      set(again, "hidden", over ? null : "");
      set(shuffle, "hidden", !over && mustShuffle(page) ? null : "");
      actions.draw();
      menu.draw();
      answer.draw(hand);
    },
  };
};
