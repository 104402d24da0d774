// A card as the page draws it: a face of the game's sheet with what is drawn on it, and its name, all by the part
// `pack`; shown large to who stays on it; and on its way from where it lay. It must not know why a card lies where it
// does.

import { draw, el, html } from "./html.js";

const LONG_WORD = 8;
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
export const takeSheet = (text, place, prefix = "") => {
  const named = text
    .replace(/\bid="/g, `id="${prefix}`)
    .replace(/href="#/g, `href="#${prefix}`)
    .replace(/url\(#/g, `url(#${prefix}`);
  const sheet = new DOMParser().parseFromString(named, "image/svg+xml").documentElement;
  if (sheet.nodeName === "svg") {
    sheet.setAttribute("aria-hidden", "true");
    place.replaceChildren(document.importNode(sheet, true));
  }
};

/** Cards in the words of the page; `pack()` is the part of that name, and the sheet was taken with this `prefix`. */
export const makeCards = (words, pack = () => undefined, prefix = "") => {
  let told;
  let kinds = new Map();
  let packs = 0;
  const kindsNow = () => {
    if (pack() !== told) {
      told = pack();
      packs += 1;
      kinds = new Map((told?.kinds ?? []).map((kind) => [kind.id, kind]));
    }
    return kinds;
  };
  const has = (id) => document.getElementById(prefix + id) !== null;

  const name = (card) => {
    const kind = kindOf(card);
    return kindsNow().get(kind)?.name ?? words.say(words.has(`card ${kind}`) ? `card ${kind}` : `control ${kind}`);
  };
  /** A card by its name and number, as the table says it. */
  const numbered = (card) => `${name(card)} ${card.split("#")[1] ?? ""}`.trim();
  /** A card's `title`, what it stands for (`explanation`), and what it does (`effect`), each "" if nobody says so. */
  const lesson = (card) => {
    const { title, explanation = "", effect = "" } = kindsNow().get(kindOf(card)) ?? {};
    return { title: title || name(card), explanation, effect };
  };
  /** What the symbols of a card are called after. */
  const faceOf = (card) => kindsNow().get(kindOf(card))?.face ?? kindOf(card);
  /**
   * A card's face; `size` is `"mini"` (a face alone, named for screen readers), `"small"` or `"large"` (with its name).
   * `card` null is a card seen from behind. It is known by its `hook`, if it has one, and lies by
   * its `style`.
   */
  const face = (card, { size = "small", hook = "data-card", style = null } = {}) => {
    const drawn = `face-${card === null ? "back" : faceOf(card)}`;
    const picture = has(drawn) ? symbol(prefix + drawn, "card-face", FACE) : plainFace("card-face");
    if (card === null) {
      return html`<span class=${`card card-${size}`}>${picture}</span>`;
    }
    const short = kindsNow().get(kindOf(card))?.label ?? "";
    const called = name(card);
    const long = called.split(/[\s-]/).some((word) => word.length > LONG_WORD);
    return html`
      <span class=${`card card-${size}`} style=${style} data-kind=${kindOf(card)}
        ...${hook === null ? {} : { [hook]: card }}>
        ${picture}
        ${short !== "" && html`<span class="card-label" aria-hidden="true">${short}</span>`}
        <span class=${size === "mini" ? "unseen" : "card-name"} data-long=${long ? "" : null}>${called}</span>
      </span>
    `;
  };
  /** What is drawn on cards of a kind, as large as its place; the back of those that have no face. */
  const picture = (card) =>
    symbol(prefix + (has(`face-${kindOf(card)}`) ? `face-${kindOf(card)}` : "face-back"), "card-face", FACE);
  /** The back of cards, by the name of what they are counted as, where they have one of their own. */
  const back = (counted, className) => {
    const own = `face-back-${counted.replace(/-pile$/, "")}`;
    const found = [own, "face-back"].find(has);
    return found === undefined ? plainFace(className) : symbol(prefix + found, className, FACE);
  };
  /** The small sign of a card, or of a kind. */
  const sign = (card, className = "sign") => symbol(`${prefix}sign-${faceOf(card)}`, className);
  const hasSign = (card) => has(`sign-${faceOf(card)}`);
  /** The kinds there are, in their order. */
  const all = () => [...kindsNow().values()];
  /** Is any card explained? */
  const areExplained = () => all().some(({ explanation }) => explanation !== "");
  /** Another number for each pack that was told: what was drawn of an older one is out of date. */
  const edition = () => (kindsNow(), packs);
  return { face, picture, back, sign, hasSign, name, numbered, lesson, all, areExplained, edition };
};

const LINGER_MS = 600;
const STILL_PX = 8;
const APART_PX = 8;
const ID = "closeup";
const CARD = "[data-card]";

/** Let every card of the page be looked at from near, for as long as somebody stays on it. */
export const makeCloseup = ({ cards }) => {
  const root = el("div", { class: "box closeup", id: ID, role: "tooltip", data: { closeup: "" }, hidden: true });
  document.body.append(root);
  let at = null;
  let pressed = null;
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    at?.removeAttribute("aria-describedby");
    at = null;
    root.hidden = true;
    gone.disconnect();
  };
  /** A card may be laid, and drawn anew elsewhere, under a pointer that rests. */
  const gone = new MutationObserver(() => at?.isConnected || hide());

  const place = () => {
    const card = at.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = root;
    const beside = card.left + (card.width - width) / 2;
    const over = card.top - APART_PX - height;
    const top = over >= APART_PX ? over : card.bottom + APART_PX;
    const within = (wanted, most) => `${Math.max(APART_PX, Math.min(wanted, most - APART_PX))}px`;
    root.style.left = within(beside, innerWidth - width);
    root.style.top = within(top, innerHeight - height);
  };
  const show = (element) => {
    const card = element.dataset.card;
    at = element;
    const { title, explanation, effect } = cards.lesson(card);
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
    at.setAttribute("aria-describedby", ID);
    gone.observe(document.body, { childList: true, subtree: true });
  };
  /** Show the card of an event's target if it is still there after a while. */
  const wait = (event) => {
    const element = event.target.closest?.(CARD);
    if (element === at && at !== null) {
      return;
    }
    hide();
    if (element) {
      timer = setTimeout(() => show(element), LINGER_MS);
    }
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && event.buttons === 0) {
      wait(event);
    }
  });
  document.addEventListener("pointerdown", (event) => {
    hide();
    if (event.pointerType === "touch") {
      pressed = event;
      wait(event);
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (pressed !== null && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > STILL_PX) {
      pressed = null;
      hide();
    }
  });
  ["pointerup", "pointercancel"].forEach((name) =>
    document.addEventListener(name, (event) => {
      if (event.pointerType === "touch") {
        pressed = null;
        hide();
      }
    }),
  );
  document.addEventListener("focusin", (event) => event.target.matches?.(":focus-visible") && wait(event));
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  ["resize", "hashchange"].forEach((name) => addEventListener(name, hide));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("contextmenu", (event) => event.target.closest?.(CARD) && event.preventDefault());
};

const FLIGHT_MS = 420;
/** At a table that is so much quicker nobody could follow. */
const QUICKEST = 5;
/** More than so many cards at once aren't a move: the page has just come, or a game begins. */
const MOST = 8;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Where each card lies now: its place's name, its element and its box. */
const look = () => {
  const found = new Map();
  document.querySelectorAll("[data-table] [data-card], [data-hand] button[data-card]").forEach((element) => {
    const box = element.getBoundingClientRect();
    const lies = element.closest("[data-place], [data-pile], [data-hand]");
    if (box.width > 0 && lies !== null) {
      const team = element.closest("[data-of-team]")?.dataset.ofTeam ?? "";
      const { place = "", pile = "", hand = "" } = lies.dataset;
      found.set(element.dataset.card, { at: `${team} ${place} ${pile} ${hand}`, isHeld: hand !== "", element, box });
    }
  });
  return found;
};

const boxOf = (hook) => document.querySelector(hook)?.getBoundingClientRect();

const fly = (element, from, to) => {
  const card = element.cloneNode(true);
  [card, ...card.querySelectorAll("[data-card]")].forEach((each) => each.removeAttribute("data-card"));
  const bird = el("div", { class: "flying", "aria-hidden": "true" }, card);
  Object.assign(bird.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px` });
  bird.style.setProperty("--card-w", `${to.width}px`);
  document.body.append(bird);
  const [x, y] = [from.left - to.left, from.top - to.top];
  const way = [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` }, { transform: "none" }];
  const flight = bird.animate(way, { duration: FLIGHT_MS, easing: "ease-in-out" });
  element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: FLIGHT_MS });
  flight.finished.catch(() => null).then(() => bird.remove());
};

/** Let cards fly at the table of `store`, but for who wants no movement. */
export const makeFlying = ({ store }) => {
  let before = new Map();
  let seat = null;
  store.onSettled(() => {
    const now = look();
    const moved = [...now].filter(([card, { at }]) => before.get(card)?.at !== at);
    if (before.size > 0 && moved.length <= MOST && !STILL.matches && store.rate() <= QUICKEST) {
      moved.forEach(([card, { isHeld, element, box }]) => {
        const unseen = isHeld ? "[data-stock] .pile-top" : `[data-table] .seat[data-seat="${seat}"] .hand`;
        const from = before.get(card)?.box ?? boxOf(unseen);
        if (from !== undefined) {
          fly(element, from, box);
        }
      });
    }
    before = now;
    seat = store.get("turn")?.seat ?? null;
  });
};
