// The cards in reach of a person's seat, zone by zone: large enough to read, touch and drag. Those that count now are
// raised and show where they go. The table says what may go where; it must not know any rule.

import { draw as drawInto, el, html } from "/static/html.js";
import { badge } from "/static/names.js";
import { padsOf } from "./choice.js";

const SLACK_PX = 6;
const PULL_PX = 8;
const REST_MS = 500;
const NEAR_PX = 14;
const EDGE_PX = 56;
const SCROLL_PX = 9;

/**
 * Returns the pad meant by the element under the pointer: a pile's or pyramid's own, or that of a seat of the place.
 */
const padForElement = (under) => {
  if (under?.closest("[data-discard]")) return document.querySelector('button[data-pad="discard"]');
  if (under?.closest("[data-pyramid]")) return document.querySelector('[data-pad-of]:not([data-pad-of="discard"]) button');
  const place = under?.closest("[data-of-team]");
  const ofPlace = ['button[data-target="true"]', '[data-mine="true"] button[data-pad]', "button[data-pad]"];
  return ofPlace.map((selector) => place?.querySelector(selector)).find(Boolean) ?? null;
};

/** Returns the pad at a point, the one meant by the element there, or the nearest one within a finger's width. */
const padAt = (x, y) => {
  const under = document.elementFromPoint(x, y);
  const pad = under?.closest("button[data-pad]") ?? padForElement(under);
  if (pad) return pad;
  let nearest = null;
  let nearestPx = NEAR_PX;
  for (const each of document.querySelectorAll("button[data-pad]")) {
    const box = each.getBoundingClientRect();
    const distance = Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2) - box.width / 2;
    if (distance < nearestPx) [nearest, nearestPx] = [each, distance];
  }
  return nearest;
};

/**
 * Makes the cards in `root` draggable onto pads. `hooks.may(element)` says whether a card can be dragged; `ghost` makes
 * the element that follows the pointer. `rest` is called once a card has rested on a pad, then `lift` when it leaves or
 * is released; `drop` for a release without a rest. Released anywhere else, or after Escape, the card returns.
 */
export const makeDraggable = (root, hooks) => {
  let drag = null;
  let timer = 0;
  let scrolling = 0;

  const hasMoved = (event) => {
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    // A sideways move of a finger scrolls the hand; only an upward pull takes a card.
    return drag.touch ? dy < -PULL_PX && -dy > Math.abs(dx) / 2 : Math.hypot(dx, dy) > SLACK_PX;
  };

  const startDrag = () => {
    const box = drag.from.getBoundingClientRect();
    drag.ghost = hooks.ghost(drag.from);
    drag.ghost.classList.add("ghost");
    drag.ghost.style.setProperty("width", `${box.width}px`);
    drag.dx = box.width / 2;
    drag.dy = drag.touch ? box.height * 0.8 : box.height / 2;
    document.body.append(drag.ghost);
    document.documentElement.dataset.dragging = "true";
    // The card's element may be removed during the drag, so the hand captures the pointer.
    root.setPointerCapture(drag.id);
    hooks.begin(drag.card);
  };

  const leavePad = () => {
    clearTimeout(timer);
    if (drag.pad === null) return;
    delete drag.pad.dataset.over;
    if (drag.rested !== null) hooks.lift(drag.card, drag.rested);
    drag.rested = null;
    drag.pad = null;
  };

  const enterPad = (pad) => {
    drag.pad = pad;
    pad.dataset.over = "true";
    timer = setTimeout(() => {
      drag.rested = pad.dataset.pad;
      hooks.rest(drag.card, drag.rested);
    }, REST_MS);
  };

  const scroll = () => {
    if (scrolling === 0 || drag === null) return;
    scrollBy(0, scrolling);
    requestAnimationFrame(scroll);
  };

  const moveGhost = (event) => {
    drag.ghost.style.setProperty("transform", `translate(${event.clientX - drag.dx}px, ${event.clientY - drag.dy}px)`);
    const pad = padAt(event.clientX, event.clientY);
    if (pad !== drag.pad) {
      leavePad();
      if (pad) enterPad(pad);
    }
    drag.ghost.dataset.over = String(pad !== null);
    const speed = event.clientY < EDGE_PX ? -SCROLL_PX : 0;
    const wasStill = scrolling === 0;
    scrolling = pad === null ? speed : 0;
    if (wasStill && scrolling !== 0) requestAnimationFrame(scroll);
  };

  const endDrag = () => {
    leavePad();
    drag.ghost?.remove();
    const hasStarted = drag.ghost !== null;
    drag = null;
    scrolling = 0;
    delete document.documentElement.dataset.dragging;
    if (hasStarted) hooks.end();
  };

  const onPointerDown = (event) => {
    if (drag !== null || event.button !== 0 || !event.isPrimary) return;
    const from = event.target.closest("button[data-card]");
    if (!from || !root.contains(from) || !hooks.may(from)) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    const touch = event.pointerType === "touch";
    drag = { id, touch, card: from.dataset.card, from, x, y, ghost: null, dx: 0, dy: 0, pad: null, rested: null };
  };

  const onPointerMove = (event) => {
    if (drag === null || event.pointerId !== drag.id) return;
    if (drag.ghost === null && hasMoved(event)) startDrag();
    if (drag.ghost !== null) moveGhost(event);
  };

  const onPointerUp = (event) => {
    if (drag === null || event.pointerId !== drag.id) return;
    const { card, pad, rested, ghost } = drag;
    if (ghost !== null) {
      // the click that ends a drag must not reach the card
      const swallow = (click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    }
    const dropped = ghost !== null && pad !== null && rested === null ? pad.dataset.pad : null;
    endDrag();
    if (dropped !== null) hooks.drop(card, dropped);
  };

  const onPointerCancel = (event) => {
    if (drag !== null && event.pointerId === drag.id) endDrag();
  };

  root.addEventListener("pointerdown", onPointerDown);
  addEventListener("pointermove", onPointerMove);
  addEventListener("pointerup", onPointerUp);
  addEventListener("pointercancel", onPointerCancel);
  // Otherwise a finger released in motion would start a fling, which swallows the next tap.
  root.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  root.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("blur", () => drag !== null && endDrag());
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || drag === null || drag.ghost === null) return;
      event.stopPropagation();
      endDrag();
    },
    { capture: true },
  );
};

const MAX_WORD_LENGTH = 10;
const MANY_PADS = 3;

/** Whether a pad is a seat's. */
const isSeatPad = (pad) => /^\d+$/.test(pad);

/**
 * Draws where a card goes: `ownText` for the own pad, badges of other seats, ▲ for a pad of the game's own, ↧ for the
 * discard pad.
 */
const drawTargets = (pads, seat, ownText) => {
  const others = pads
    .filter((pad) => pad !== "discard" && pad !== String(seat))
    .sort()
    .map((pad) => (isSeatPad(pad) ? badge(pad) : "▲"));
  const targets = [...(pads.includes(String(seat)) ? [ownText] : []), ...others];
  if (targets.length > 0) {
    return html`→ ${targets}`;
  }
  return pads.includes("discard") ? "↧" : "";
};

/** Makes the zones of one seat's hand. */
export const makeZones = ({ words, cards }, seat) => {
  const { say } = words;
  const element = el("div", { class: "reach", tabindex: -1 });
  let scrolledTo = "";

  const padName = (pad) => {
    if (!isSeatPad(pad)) {
      return say(pad === "discard" ? "page pad-discard" : `pad ${pad}`);
    }
    return say(pad === String(seat) ? "page pad-own" : "page pad-of", { seat: pad });
  };
  const zoneName = ({ place, seats }) => {
    const name = words.has(`place ${place}`) ? say(`place ${place}`) : cards.name(place);
    return place === "hand" || seats.length === 0 ? name : `${name} ${seats.join("+")}`;
  };

  const drawCard = (card, place, index, { hand, chosen, busy }) => {
    const pads = padsOf(card, hand.fair);
    const holds = padsOf(card, hand.holds).length > 0;
    const playable = hand.raised.includes(card);
    const name = cards.name(card);
    const targetText = [...pads.map(padName), ...(holds ? [say("page hand-holds")] : [])].join(", ");
    return html`
      <button class="own-card" type="button" key=${card} data-card=${card} data-place=${place} data-playable=${playable}
        data-many=${playable && pads.length > MANY_PADS} data-long=${name.split(/[ -]/).some((word) => word.length > MAX_WORD_LENGTH)}
        aria-pressed=${chosen === card} aria-disabled=${busy ? "true" : null}
        aria-label=${targetText ? say("page hand-goes", { card: name, pads: targetText }) : name}>
        ${/* the button is the card: one element with this name */ cards.face(card, { size: "large", hook: null })}
        <span class="card-targets" aria-hidden="true">${playable ? drawTargets(pads, seat, say("page you")) || "◔" : ""}</span>
        <kbd class="card-key" aria-hidden="true">${index < 9 ? index + 1 : ""}</kbd>
      </button>
    `;
  };

  const buttonOf = (card) => element.querySelector(`button[data-card="${CSS.escape(card)}"]`);

  /** Scrolls to the first playable card if it isn't in the hand. */
  const scrollToPlayable = (hand, zones) => {
    const playableIds = new Set(hand.fair.map(([card]) => card));
    const first = zones.find((zone) => zone.cards.some((card) => playableIds.has(card)));
    const key = first && first.place !== "hand" ? `${first.place} ${first.seats}` : "";
    if (key !== scrolledTo) {
      scrolledTo = key;
      const button = key ? buttonOf(first.cards.find((card) => playableIds.has(card))) : null;
      const before = button?.previousElementSibling ? button.offsetWidth / 2 : 8;
      const left = button
        ? button.getBoundingClientRect().left - element.getBoundingClientRect().left + element.scrollLeft - before
        : 0;
      element.scrollTo({ left, behavior: "instant" });
    }
  };

  const buttonsNow = () => [...element.querySelectorAll("button")];

  /** Moves the focus to the neighbour of a card that is gone. */
  const keepFocus = (before) => {
    if (before >= 0 && !element.contains(document.activeElement)) {
      const buttons = buttonsNow();
      (buttons[Math.min(before, buttons.length - 1)] ?? element).focus({ preventScroll: true });
    }
  };

  return {
    element,
    /** Draws these zones; `chosen` is a card id or null. */
    draw(hand, zones, chosen, busy) {
      const focused = buttonsNow().indexOf(document.activeElement);
      let index = -1;
      const drawZone = (zone) => {
        const name = zoneName(zone);
        const each = (card) => drawCard(card, zone.place, (index += 1), { hand, chosen, busy });
        return html`
          <div class="reach-zone" role="group" key=${`${zone.place} ${zone.seats}`} data-place=${zone.place} aria-label=${name}>
            <span class="reach-name">${name}</span>
            <span class="reach-cards">${zone.cards.map(each)}</span>
          </div>
        `;
      };
      drawInto(element, zones.map(drawZone));
      keepFocus(focused);
      scrollToPlayable(hand, zones);
    },
    /** Returns the button of a card in reach; null without one. */
    button: buttonOf,
  };
};
