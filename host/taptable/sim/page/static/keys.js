// The keyboard of the demo: what each key does with the chosen card, the pads and the button. It must not know any
// rule; the table decides what an action means.

import { CONTROLS } from "./menu.js";

const FIELDS = "input, select, textarea, [contenteditable], dialog";
/**
 * Elements with keys of their own. Letters and digits still go to the table, or a press of the button could be lost
 * there.
 */
const STEPS = "[role=tab], summary, .menu-list *";
const CONFIRM_MS = 3000;

/** All keys with their effects, for the guide. */
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

/** Handles keys for as long as the page is open. */
export const listenToKeys = ({ choice, actions, dock, store, warn }) => {
  let askedAt_ms = -Infinity;

  const focusCard = () => dock.hand()?.zones.button(choice.card)?.focus({ preventScroll: false });
  const targetPads = () => [...document.querySelectorAll('button[data-pad][data-target="true"]')];

  const choose = (card) => {
    if (card !== undefined) {
      choice.choose(card);
      focusCard();
    }
  };

  const moveAlongCards = (by) => {
    const cards = choice.zones().flatMap((zone) => zone.cards);
    const at = cards.indexOf(choice.card);
    choose(at < 0 ? cards.at(by > 0 ? 0 : -1) : cards[(at + by + cards.length) % cards.length]);
  };

  const moveAcrossZones = (by) => {
    const zones = choice.zones().filter((zone) => zone.cards.length > 0);
    const at = zones.findIndex((zone) => zone.cards.includes(choice.card));
    choose(zones[(Math.max(0, at) + by + zones.length) % zones.length]?.cards[0]);
  };

  const tap = (pad) => {
    const { seat, card } = choice;
    choice.choose(null);
    actions.tap(seat, card, pad);
  };

  /**
   * Taps the chosen card on its only target. With several targets it focuses the first, and arrow keys move on. A card
   * outside the hand that can only be discarded goes to the discard pad. Without a target it taps the own pad, and the
   * table says why that fails.
   */
  const tapOnTarget = () => {
    const targets = choice.targets().filter((pad) => pad !== "discard");
    if (targets.length === 1) {
      tap(targets[0]);
    } else if (targets.length > 1) {
      targetPads()[0]?.focus();
    } else if (choice.targets().length === 1 && !choice.hand().zones[0].cards.includes(choice.card)) {
      tap("discard");
    } else {
      tap(String(choice.seat));
    }
  };

  const moveAlongPads = (key, focusedPad) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    const all = targetPads();
    all[(all.indexOf(focusedPad) + by + all.length) % all.length]?.focus();
  };

  const control = (name) => {
    const mustConfirm = name === "new-game" && !store.get("turn")?.over;
    if (mustConfirm && performance.now() - askedAt_ms > CONFIRM_MS) {
      askedAt_ms = performance.now();
      warn(name);
    } else {
      askedAt_ms = -Infinity;
      actions.control(choice.seat, name);
    }
  };

  const letterActions = {
    b: () => actions.press(choice.seat),
    d: () => actions.draw(choice.seat),
    h: () => choice.card !== null && actions.hold(choice.seat, choice.card, choice.seat),
    x: () => choice.card !== null && tap("discard"),
    a: () => actions.tapRows(choice.seat),
    ...Object.fromEntries(Object.entries(CONTROLS).map(([name, key]) => [key, () => control(name)])),
  };

  /** Handles a key. Returns whether it has a meaning here. */
  const handleKey = (key, target) => {
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
        moveAlongPads(key, onPad);
      } else if (key === "ArrowLeft" || key === "ArrowRight") {
        moveAlongCards(key === "ArrowRight" ? 1 : -1);
      } else {
        moveAcrossZones(key === "ArrowDown" ? 1 : -1);
      }
      return true;
    }
    if (key === "Escape") {
      const hadCard = choice.card;
      focusCard();
      choice.choose(null);
      return hadCard !== null;
    }
    if (key === "Enter") {
      const isFree = target === document.body || (onCard && onCard.getAttribute("aria-pressed") === "true");
      const isMeant = isFree && choice.card !== null;
      if (isMeant) {
        tapOnTarget();
      }
      return isMeant;
    }
    if (key === " ") {
      const isFree = !target.closest?.("button, a") || onCard;
      if (isFree) {
        actions.press(choice.seat);
      }
      return Boolean(isFree);
    }
    letterActions[key.toLowerCase()]?.();
    return key.toLowerCase() in letterActions;
  };

  addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isTaken = event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey;
    const isElsewhere = target.closest?.(key.length === 1 && key !== " " ? FIELDS : `${FIELDS}, ${STEPS}`);
    if (isTaken || choice.seat === null || isElsewhere || document.querySelector("dialog[open]")) {
      return;
    }
    if (handleKey(key, target)) {
      event.preventDefault();
    }
  });
};
