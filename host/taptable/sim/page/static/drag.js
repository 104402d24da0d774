// Cards that are dragged, by mouse, pen or finger: what is under the pointer, when it rests, where it is dropped. Knows
// cards and pads as elements only, and not what a drop means.

const SLACK_PX = 6;
const PULL_PX = 8;
const REST_MS = 500;
const NEAR_PX = 14;
const EDGE_PX = 56;
const SCROLL_PX = 9;

/** The pad meant by what lies under the pointer: by a pile or a pyramid its own, by a place that of one of its seats. */
const padMeantBy = (under) => {
  if (under?.closest("[data-laid]")) return document.querySelector('button[data-pad="discard"]');
  if (under?.closest("[data-pyramid]")) return document.querySelector('[data-pad-of]:not([data-pad-of="discard"]) button');
  const place = under?.closest("[data-of-team]");
  const ofPlace = ['button[data-target="true"]', '[data-mine="true"] button[data-pad]', "button[data-pad]"];
  return ofPlace.map((selector) => place?.querySelector(selector)).find(Boolean) ?? null;
};

/** The pad under a point, the one that is meant by what is there, or the nearest one a finger's breadth away. */
const padAt = (x, y) => {
  const under = document.elementFromPoint(x, y);
  const pad = under?.closest("button[data-pad]") ?? padMeantBy(under);
  if (pad) return pad;
  let nearest = null;
  let least = NEAR_PX;
  for (const each of document.querySelectorAll("button[data-pad]")) {
    const box = each.getBoundingClientRect();
    const away = Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2) - box.width / 2;
    if (away < least) [nearest, least] = [each, away];
  }
  return nearest;
};

/**
 * Let the cards in `root` be dragged onto pads. `may` says whether an element is a card that can be; `ghost` makes what
 * follows the pointer. A card that rests on a pad is `rest`ed there at once, and `lift`ed when it leaves or is let go;
 * one let go without a rest is `drop`ped; anywhere else, or by Escape, it is given back.
 * @param {HTMLElement} root
 * @param {{may: (card: HTMLElement) => boolean, ghost: (card: HTMLElement) => HTMLElement,
 *   begin: (card: string) => void, rest: (card: string, pad: string) => void,
 *   lift: (card: string, pad: string) => void, drop: (card: string, pad: string) => void, end: () => void}} hooks
 */
export const letDrag = (root, hooks) => {
  /** @type {null | {id: number, touch: boolean, card: string, from: HTMLElement, x: number, y: number,
   *   ghost: HTMLElement | null, dx: number, dy: number, pad: HTMLElement | null, rested: string | null}} */
  let drag = null;
  let timer = 0;
  let scrolling = 0;

  const moved = (event) => {
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    // sideways a finger scrolls the hand; only a pull upwards takes a card out of it
    return drag.touch ? dy < -PULL_PX && -dy > Math.abs(dx) / 2 : Math.hypot(dx, dy) > SLACK_PX;
  };

  const take = () => {
    const box = drag.from.getBoundingClientRect();
    drag.ghost = hooks.ghost(drag.from);
    drag.ghost.classList.add("ghost");
    drag.ghost.style.setProperty("width", `${box.width}px`);
    drag.dx = box.width / 2;
    drag.dy = drag.touch ? box.height * 0.8 : box.height / 2;
    document.body.append(drag.ghost);
    document.documentElement.dataset.dragging = "true";
    // the card may leave the hand while it is still under the finger, so the hand holds the pointer
    root.setPointerCapture(drag.id);
    hooks.begin(drag.card);
  };

  const leave = () => {
    clearTimeout(timer);
    if (drag.pad === null) return;
    delete drag.pad.dataset.over;
    if (drag.rested !== null) hooks.lift(drag.card, drag.rested);
    drag.rested = null;
    drag.pad = null;
  };

  const enter = (pad) => {
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

  const follow = (event) => {
    drag.ghost.style.setProperty("transform", `translate(${event.clientX - drag.dx}px, ${event.clientY - drag.dy}px)`);
    const pad = padAt(event.clientX, event.clientY);
    if (pad !== drag.pad) {
      leave();
      if (pad) enter(pad);
    }
    drag.ghost.dataset.over = String(pad !== null);
    const wanted = event.clientY < EDGE_PX ? -SCROLL_PX : 0;
    const still = scrolling === 0;
    scrolling = pad === null ? wanted : 0;
    if (still && scrolling !== 0) requestAnimationFrame(scroll);
  };

  const stop = () => {
    leave();
    drag.ghost?.remove();
    const taken = drag.ghost !== null;
    drag = null;
    scrolling = 0;
    delete document.documentElement.dataset.dragging;
    if (taken) hooks.end();
  };

  const down = (event) => {
    if (drag !== null || event.button !== 0 || !event.isPrimary) return;
    const from = event.target.closest("button[data-card]");
    if (!from || !root.contains(from) || !hooks.may(from)) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    const touch = event.pointerType === "touch";
    drag = { id, touch, card: from.dataset.card, from, x, y, ghost: null, dx: 0, dy: 0, pad: null, rested: null };
  };

  const move = (event) => {
    if (drag === null || event.pointerId !== drag.id) return;
    if (drag.ghost === null && moved(event)) take();
    if (drag.ghost !== null) follow(event);
  };

  const up = (event) => {
    if (drag === null || event.pointerId !== drag.id) return;
    const { card, pad, rested, ghost } = drag;
    if (ghost !== null) {
      // the click that ends a drag isn't one on a card
      const swallow = (click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    }
    const dropped = ghost !== null && pad !== null && rested === null ? pad.dataset.pad : null;
    stop();
    if (dropped !== null) hooks.drop(card, dropped);
  };

  const giveUp = (event) => {
    if (drag !== null && event.pointerId === drag.id) stop();
  };

  root.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", giveUp);
  // else a finger that lets go while it moves would leave a fling behind, which swallows the next tap
  root.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  root.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("blur", () => drag !== null && stop());
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || drag === null || drag.ghost === null) return;
      event.stopPropagation();
      stop();
    },
    { capture: true },
  );
};
