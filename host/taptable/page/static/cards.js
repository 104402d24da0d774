// Draws cards: a face from the game's SVG sheet with its label and name, as the part `pack` describes them. Shows a
// card enlarged while the pointer, a finger or the focus rests on it, and animates cards that moved. It must not know
// why a card lies where it does.

import { draw, el, html } from "./html.js";

const MAX_WORD_LENGTH = 8;
const FACE = "0 0 63 88";

/** Returns the kind of a card id: `"email"` for `"email#7"`. */
export const kindOf = (card) => card.split("#")[0];

/** Draws the symbol `id` of the sheet as an SVG that is hidden from screen readers. The caller adds the text. */
const symbol = (id, className, viewBox = "0 0 24 24") => html`
  <svg class=${className} viewBox=${viewBox} aria-hidden="true" focusable="false"><use href=${`#${id}`} /></svg>
`;

/** Draws a blank face for a card without a face in the sheet. */
const plainFace = (className) => html`
  <svg class=${`${className} card-plain`} viewBox=${FACE} aria-hidden="true" focusable="false">
    <rect x="0.4" y="0.4" width="62.2" height="87.2" rx="5" />
  </svg>
`;

/**
 * Inserts a game's sheet of faces (SVG text) into `place`, so that `<use>` elements find its symbols. `prefix` is put
 * before all ids, to keep the sheets of several games apart.
 */
export const insertSheet = (text, place, prefix = "") => {
  const prefixed = text
    .replace(/\bid="/g, `id="${prefix}`)
    .replace(/href="#/g, `href="#${prefix}`)
    .replace(/url\(#/g, `url(#${prefix}`);
  const sheet = new DOMParser().parseFromString(prefixed, "image/svg+xml").documentElement;
  if (sheet.nodeName === "svg") {
    sheet.setAttribute("aria-hidden", "true");
    place.replaceChildren(document.importNode(sheet, true));
  }
};

/**
 * Makes the drawing functions for cards. `pack()` returns the part `pack`; `prefix` is the one that was given to
 * `insertSheet`.
 */
export const makeCards = (words, pack = () => undefined, prefix = "") => {
  let currentPack;
  let kinds = new Map();
  let packCount = 0;
  const currentKinds = () => {
    if (pack() !== currentPack) {
      currentPack = pack();
      packCount += 1;
      kinds = new Map((currentPack?.kinds ?? []).map((kind) => [kind.id, kind]));
    }
    return kinds;
  };
  const has = (id) => document.getElementById(prefix + id) !== null;

  const name = (card) => {
    const kind = kindOf(card);
    return currentKinds().get(kind)?.name ?? words.say(words.has(`card ${kind}`) ? `card ${kind}` : `control ${kind}`);
  };
  /** Returns a card's name and number, as the table's sentences have it. */
  const nameWithNumber = (card) => `${name(card)} ${card.split("#")[1] ?? ""}`.trim();
  /**
   * Returns a card's `title`, what it stands for (`explanation`) and what it does (`effect`); the last two "" if the
   * pack has none.
   */
  const details = (card) => {
    const { title, explanation = "", effect = "" } = currentKinds().get(kindOf(card)) ?? {};
    return { title: title || name(card), explanation, effect };
  };
  /** Returns the name by which the sheet's ids call the card's face. */
  const faceOf = (card) => currentKinds().get(kindOf(card))?.face ?? kindOf(card);
  /**
   * Draws a card's face. `size`: `"mini"` (face only, name for screen readers), `"small"` or `"large"` (with the name).
   * `card`: an id, or null for a card face down. `hook`: the attribute that holds the id, or null for none. `style`:
   * inline styles.
   */
  const face = (card, { size = "small", hook = "data-card", style = null } = {}) => {
    const symbolId = `face-${card === null ? "back" : faceOf(card)}`;
    const picture = has(symbolId) ? symbol(prefix + symbolId, "card-face", FACE) : plainFace("card-face");
    if (card === null) {
      return html`<span class=${`card card-${size}`}>${picture}</span>`;
    }
    const short = currentKinds().get(kindOf(card))?.label ?? "";
    const cardName = name(card);
    const hasLongWord = cardName.split(/[\s-]/).some((word) => word.length > MAX_WORD_LENGTH);
    return html`
      <span class=${`card card-${size}`} style=${style} data-kind=${kindOf(card)}
        ...${hook === null ? {} : { [hook]: card }}>
        ${picture}
        ${short !== "" && html`<span class="card-label" aria-hidden="true">${short}</span>`}
        <span class=${size === "mini" ? "visually-hidden" : "card-name"} data-long=${hasLongWord ? "" : null}>${cardName}</span>
      </span>
    `;
  };
  /** Draws a kind's face alone, as large as its container; the back for a kind without a face. */
  const picture = (card) =>
    symbol(prefix + (has(`face-${kindOf(card)}`) ? `face-${kindOf(card)}` : "face-back"), "card-face", FACE);
  /** Draws the back of the cards of a pile, by the pile's name; some piles have a back of their own. */
  const back = (countName, className) => {
    const ownId = `face-back-${countName.replace(/-pile$/, "")}`;
    const foundId = [ownId, "face-back"].find(has);
    return foundId === undefined ? plainFace(className) : symbol(prefix + foundId, className, FACE);
  };
  /** Draws the small icon of a card or a kind. */
  const icon = (card, className = "icon") => symbol(`${prefix}sign-${faceOf(card)}`, className);
  const hasIcon = (card) => has(`sign-${faceOf(card)}`);
  /** Returns all kinds, in the pack's order. */
  const all = () => [...currentKinds().values()];
  /** Returns whether any kind has an explanation. */
  const haveExplanations = () => all().some(({ explanation }) => explanation !== "");
  /** Returns a number that grows with each new pack; what was drawn from an older one is out of date. */
  const packNumber = () => (currentKinds(), packCount);
  return { face, picture, back, icon, hasIcon, name, nameWithNumber, details, all, haveExplanations, packNumber };
};

const SHOW_AFTER_MS = 600;
const MAX_MOVE_PX = 8;
const GAP_PX = 8;
const ID = "closeup";
const CARD = "[data-card]";

/** Shows a card enlarged while the pointer, a finger or the keyboard focus rests on it. */
export const makeCloseup = ({ cards }) => {
  const root = el("div", { class: "box closeup", id: ID, role: "tooltip", data: { closeup: "" }, hidden: true });
  document.body.append(root);
  let shownElement = null;
  let pressEvent = null;
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    shownElement?.removeAttribute("aria-describedby");
    shownElement = null;
    root.hidden = true;
    removalObserver.disconnect();
  };
  /** A card can be played and redrawn elsewhere under a resting pointer. */
  const removalObserver = new MutationObserver(() => shownElement?.isConnected || hide());

  const place = () => {
    const card = shownElement.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = root;
    const left = card.left + (card.width - width) / 2;
    const above = card.top - GAP_PX - height;
    const top = above >= GAP_PX ? above : card.bottom + GAP_PX;
    const clamp = (position, size) => `${Math.max(GAP_PX, Math.min(position, size - GAP_PX))}px`;
    root.style.left = clamp(left, innerWidth - width);
    root.style.top = clamp(top, innerHeight - height);
  };
  const show = (element) => {
    const card = element.dataset.card;
    shownElement = element;
    const { title, explanation, effect } = cards.details(card);
    draw(root, html`
      ${cards.face(card, { size: "large", hook: null })}
      <div class="stack gap-xs closeup-words">
        <p class="strong">${title}</p>
        ${explanation && html`<p>${explanation}</p>`}
        ${effect && html`<p class="soft">${effect}</p>`}
      </div>
    `);
    root.hidden = false;
    place();
    shownElement.setAttribute("aria-describedby", ID);
    removalObserver.observe(document.body, { childList: true, subtree: true });
  };
  /** Shows the card of an event's target after a delay. */
  const showAfterDelay = (event) => {
    const element = event.target.closest?.(CARD);
    if (element === shownElement && shownElement !== null) {
      return;
    }
    hide();
    if (element) {
      timer = setTimeout(() => show(element), SHOW_AFTER_MS);
    }
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && event.buttons === 0) {
      showAfterDelay(event);
    }
  });
  document.addEventListener("pointerdown", (event) => {
    hide();
    if (event.pointerType === "touch") {
      pressEvent = event;
      showAfterDelay(event);
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (pressEvent === null) {
      return;
    }
    if (Math.hypot(event.clientX - pressEvent.clientX, event.clientY - pressEvent.clientY) > MAX_MOVE_PX) {
      pressEvent = null;
      hide();
    }
  });
  ["pointerup", "pointercancel"].forEach((name) =>
    document.addEventListener(name, (event) => {
      if (event.pointerType === "touch") {
        pressEvent = null;
        hide();
      }
    }),
  );
  document.addEventListener("focusin", (event) => event.target.matches?.(":focus-visible") && showAfterDelay(event));
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  ["resize", "hashchange"].forEach((name) => addEventListener(name, hide));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("contextmenu", (event) => event.target.closest?.(CARD) && event.preventDefault());
};

const FLIGHT_MS = 420;
/** Above this speed nobody could follow the animation. */
const MAX_RATE = 5;
/** More cards at once are no move: the page has just loaded, or a game has begun. */
const MAX_MOVED = 8;
const REDUCED_MOTION = matchMedia("(prefers-reduced-motion: reduce)");

/** Returns where each card lies: card id → `{at, isHeld, element, box}`. */
const locateCards = () => {
  const found = new Map();
  document.querySelectorAll("[data-table] [data-card], [data-hand] button[data-card]").forEach((element) => {
    const box = element.getBoundingClientRect();
    const placeElement = element.closest("[data-place], [data-pile], [data-hand]");
    if (box.width > 0 && placeElement !== null) {
      const team = element.closest("[data-of-team]")?.dataset.ofTeam ?? "";
      const { place = "", pile = "", hand = "" } = placeElement.dataset;
      found.set(element.dataset.card, { at: `${team} ${place} ${pile} ${hand}`, isHeld: hand !== "", element, box });
    }
  });
  return found;
};

const boxOf = (hook) => document.querySelector(hook)?.getBoundingClientRect();

const fly = (element, from, to) => {
  const card = element.cloneNode(true);
  [card, ...card.querySelectorAll("[data-card]")].forEach((each) => each.removeAttribute("data-card"));
  const flyer = el("div", { class: "flying", "aria-hidden": "true" }, card);
  Object.assign(flyer.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px` });
  flyer.style.setProperty("--card-w", `${to.width}px`);
  document.body.append(flyer);
  const [x, y] = [from.left - to.left, from.top - to.top];
  const keyframes = [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` }, { transform: "none" }];
  const flight = flyer.animate(keyframes, { duration: FLIGHT_MS, easing: "ease-in-out" });
  element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: FLIGHT_MS });
  flight.finished.catch(() => null).then(() => flyer.remove());
};

/** Animates cards that change their place, unless the person prefers reduced motion. */
export const animateMoves = ({ store }) => {
  let before = new Map();
  let seat = null;
  store.onDrawn(() => {
    const now = locateCards();
    const moved = [...now].filter(([card, { at }]) => before.get(card)?.at !== at);
    if (before.size > 0 && moved.length <= MAX_MOVED && !REDUCED_MOTION.matches && store.rate() <= MAX_RATE) {
      moved.forEach(([card, { isHeld, element, box }]) => {
        const source = isHeld ? "[data-stock] .pile-top" : `[data-table] .seat[data-seat="${seat}"] .hand`;
        const from = before.get(card)?.box ?? boxOf(source);
        if (from !== undefined) {
          fly(element, from, box);
        }
      });
    }
    before = now;
    seat = store.get("turn")?.seat ?? null;
  });
};
