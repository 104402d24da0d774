// A card as the page draws it: a face of the game's sheet with what is drawn on it, and its name, all by the part
// `pack`; shown large to who stays on it; and on its way from where it lay. It must not know why a card lies where it
// does.

import { draw, el, html } from "./html.js";

const MAX_WORD_LENGTH = 8;
const FACE = "0 0 63 88";

/** The kind of a card id (`"email#7"`): `"email"`. */
export const kindOf = (card) => card.split("#")[0];

/** An SVG that shows the symbol `id` of the sheet; hidden from screen readers, whoever uses it gives the words. */
const symbol = (id, className, viewBox = "0 0 24 24") => html`
  <svg class=${className} viewBox=${viewBox} aria-hidden="true" focusable="false"><use href=${`#${id}`} /></svg>
`;

/** A face for a card that has none of its own in the sheet. */
const plainFace = (className) => html`
  <svg class=${`${className} card-plain`} viewBox=${FACE} aria-hidden="true" focusable="false">
    <rect x="0.4" y="0.4" width="62.2" height="87.2" rx="5" />
  </svg>
`;

/**
 * Take a game's sheet of faces (SVG text) into the document, so that every `<use>` finds its symbol; with a `prefix`
 * before all their names, where another game's sheet is there already.
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

/** Cards in the words of the page; `pack()` is the part of that name, and the sheet was taken with this `prefix`. */
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
  /** A card by its name and number, as the table says it. */
  const nameWithNumber = (card) => `${name(card)} ${card.split("#")[1] ?? ""}`.trim();
  /** A card's `title`, what it stands for (`explanation`), and what it does (`effect`), each "" if nobody says so. */
  const details = (card) => {
    const { title, explanation = "", effect = "" } = currentKinds().get(kindOf(card)) ?? {};
    return { title: title || name(card), explanation, effect };
  };
  /** What the symbols of a card are called after. */
  const faceOf = (card) => currentKinds().get(kindOf(card))?.face ?? kindOf(card);
  /**
   * A card's face; `size` is `"mini"` (a face alone, named for screen readers), `"small"` or `"large"` (with its name).
   * `card` null is a card seen from behind. It is known by its `hook`, if it has one, and lies by
   * its `style`.
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
  /** What is drawn on cards of a kind, as large as its place; the back of those that have no face. */
  const picture = (card) =>
    symbol(prefix + (has(`face-${kindOf(card)}`) ? `face-${kindOf(card)}` : "face-back"), "card-face", FACE);
  /** The back of cards, by the name of what they are counted as, where they have one of their own. */
  const back = (countName, className) => {
    const ownId = `face-back-${countName.replace(/-pile$/, "")}`;
    const foundId = [ownId, "face-back"].find(has);
    return foundId === undefined ? plainFace(className) : symbol(prefix + foundId, className, FACE);
  };
  /** The small sign of a card, or of a kind. */
  const icon = (card, className = "icon") => symbol(`${prefix}sign-${faceOf(card)}`, className);
  const hasIcon = (card) => has(`sign-${faceOf(card)}`);
  /** The kinds there are, in their order. */
  const all = () => [...currentKinds().values()];
  /** Is any card explained? */
  const haveExplanations = () => all().some(({ explanation }) => explanation !== "");
  /** Another number for each pack that was told: what was drawn of an older one is out of date. */
  const packNumber = () => (currentKinds(), packCount);
  return { face, picture, back, icon, hasIcon, name, nameWithNumber, details, all, haveExplanations, packNumber };
};

const SHOW_AFTER_MS = 600;
const MAX_MOVE_PX = 8;
const GAP_PX = 8;
const ID = "closeup";
const CARD = "[data-card]";

/** Let every card of the page be looked at from near, for as long as somebody stays on it. */
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
  /** A card may be laid, and drawn anew elsewhere, under a pointer that rests. */
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
  /** Show the card of an event's target if it is still there after a while. */
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
    if (pressEvent !== null && Math.hypot(event.clientX - pressEvent.clientX, event.clientY - pressEvent.clientY) > MAX_MOVE_PX) {
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
/** At a table that is so much quicker nobody could follow. */
const MAX_RATE = 5;
/** More than so many cards at once aren't a move: the page has just come, or a game begins. */
const MAX_MOVED = 8;
const REDUCED_MOTION = matchMedia("(prefers-reduced-motion: reduce)");

/** Where each card lies now: its place's name, its element and its box. */
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

/** Let cards fly at the table of `store`, but for who wants no movement. */
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
