// The keyboard of the demo: which key does what with the chosen card, the pads and the button. Knows no rule; what a
// action comes to is the table's affair.

import { CONTROLS } from "./menu.js";

const FIELDS = "input, select, textarea, [contenteditable], dialog";
/** What a key opens or moves; letters and digits still mean the table, or a buzz would be lost there. */
const STEPS = "[role=tab], summary, .menu-list *";
const TWICE_MS = 3000;

/** Every key and what it does, for the guide. */
export const KEYS = [
  ["1–9", "page key-digits"],
  ["← → ↑ ↓", "page key-card-arrows"],
  ["Enter", "page key-enter"],
  ["page space", "page key-space"],
  ["X", "page key-discard"],
  ["H", "page key-hold"],
  ["D", "page key-draw"],
  ["Esc", "page key-escape"],
  ["T P R C N", "page key-controls"],
  ["A", "page key-rows"],
];

/** Listen to keys for as long as the page is open. */
export const listenToKeys = ({ choice, actions, dock, store, warn }) => {
  let askedAt_ms = -Infinity;

  const focusCard = () => dock.hand()?.zones.button(choice.card)?.focus({ preventScroll: false });
  const pads = () => [...document.querySelectorAll('button[data-pad][data-target="true"]')];

  const choose = (card) => {
    if (card !== undefined) {
      choice.choose(card);
      focusCard();
    }
  };

  const along = (by) => {
    const cards = choice.zones().flatMap((zone) => zone.cards);
    const at = cards.indexOf(choice.card);
    choose(at < 0 ? cards.at(by > 0 ? 0 : -1) : cards[(at + by + cards.length) % cards.length]);
  };

  const across = (by) => {
    const zones = choice.zones().filter((zone) => zone.cards.length > 0);
    const at = zones.findIndex((zone) => zone.cards.includes(choice.card));
    choose(zones[(Math.max(0, at) + by + zones.length) % zones.length]?.cards[0]);
  };

  const tap = (pad) => {
    const { seat, card } = choice;
    choice.choose(null);
    actions.tap(seat, card, pad);
  };

  /** One pad: there; several: the first gets the focus, and arrows go on; none: the own one, and the table says why. */
  const tapWhereItGoes = () => {
    const targets = choice.targets().filter((pad) => pad !== "discard");
    if (targets.length === 1) {
      tap(targets[0]);
    } else if (targets.length > 1) {
      pads()[0]?.focus();
    } else if (choice.targets().length === 1 && !choice.hand().zones[0].cards.includes(choice.card)) {
      tap("discard");
    } else {
      tap(String(choice.seat));
    }
  };

  const goAlongPads = (key, at) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    const all = pads();
    all[(all.indexOf(at) + by + all.length) % all.length]?.focus();
  };

  const control = (name) => {
    const mustAskTwice = name === "new-game" && !store.get("turn")?.over;
    if (mustAskTwice && performance.now() - askedAt_ms > TWICE_MS) {
      askedAt_ms = performance.now();
      warn(name);
    } else {
      askedAt_ms = -Infinity;
      actions.control(choice.seat, name);
    }
  };

  const letters = {
    b: () => actions.press(choice.seat),
    d: () => actions.draw(choice.seat),
    h: () => choice.card !== null && actions.hold(choice.seat, choice.card, choice.seat),
    x: () => choice.card !== null && tap("discard"),
    a: () => actions.tapRows(choice.seat),
    ...Object.fromEntries(Object.entries(CONTROLS).map(([name, key]) => [key, () => control(name)])),
  };

  /** Does this key mean something here? Then do it. */
  const use = (key, target) => {
    const onPad = target.closest?.("button[data-pad]");
    const onCard = target.closest?.("button.own-card");
    if (/^[1-9]$/.test(key)) {
      if (onPad && choice.card !== null) {
        document.querySelector(`button[data-pad="${key}"]`) && tap(key);
      } else {
        choose(choice.zones().flatMap((zone) => zone.cards)[Number(key) - 1]);
      }
      return true;
    }
    if (key.startsWith("Arrow")) {
      if (onPad && choice.card !== null) {
        goAlongPads(key, onPad);
      } else if (key === "ArrowLeft" || key === "ArrowRight") {
        along(key === "ArrowRight" ? 1 : -1);
      } else {
        across(key === "ArrowDown" ? 1 : -1);
      }
      return true;
    }
    if (key === "Escape") {
      const from = choice.card;
      focusCard();
      choice.choose(null);
      return from !== null;
    }
    if (key === "Enter") {
      const free = target === document.body || (onCard && onCard.getAttribute("aria-pressed") === "true");
      const meant = free && choice.card !== null;
      if (meant) {
        tapWhereItGoes();
      }
      return meant;
    }
    if (key === " ") {
      const free = !target.closest?.("button, a") || onCard;
      if (free) {
        actions.press(choice.seat);
      }
      return Boolean(free);
    }
    letters[key.toLowerCase()]?.();
    return key.toLowerCase() in letters;
  };

  addEventListener("keydown", (event) => {
    const { target, key } = event;
    const taken = event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey;
    const elsewhere = target.closest?.(key.length === 1 && key !== " " ? FIELDS : `${FIELDS}, ${STEPS}`);
    if (taken || choice.seat === null || elsewhere || document.querySelector("dialog[open]")) {
      return;
    }
    if (use(key, target)) {
      event.preventDefault();
    }
  });
};
