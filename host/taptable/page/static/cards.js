// A card as the page draws it: a face of the game's sheet with what is drawn on it, and its name, all by the part `pack`.
// It must not know where the card lies.

import { html } from "./html.js";

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
  return { face, picture, back, sign, hasSign, name, lesson, all, areExplained, edition };
};
