// A card as the page draws it: a face of the game's sheet with what is drawn on it, and its name, all by the part `pack`.
// It must not know where the card lies.

const LONG_WORD = 8;
const SVG = "http://www.w3.org/2000/svg";
const FACE = "0 0 63 88";

/** The kind of a card id (`"email#7"`): `"email"`. */
export const kindOf = (card) => card.split("#")[0];

const svgOf = (className, viewBox) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  return svg;
};

/** An SVG that shows the symbol `id` of the sheet; hidden from screen readers, whoever uses it gives the words. */
export const symbol = (id, className, viewBox = "0 0 24 24") => {
  const svg = svgOf(className, viewBox);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  return svg;
};

/** A face for a card that has none of its own in the sheet. */
const plainFace = (className) => {
  const svg = svgOf(`${className} card-plain`, FACE);
  const sheet = document.createElementNS(SVG, "rect");
  const attributes = { x: "0.4", y: "0.4", width: "62.2", height: "87.2", rx: "5" };
  Object.entries(attributes).forEach(([name, value]) => sheet.setAttribute(name, value));
  svg.append(sheet);
  return svg;
};

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
  /** What the symbols of a card are called after. */
  const faceOf = (card) => kindsNow().get(kindOf(card))?.face ?? kindOf(card);
  /**
   * A card's face; `size` is `"mini"` (a face alone, named for screen readers), `"small"` or `"large"` (with its name).
   * `card` null is a card seen from behind.
   */
  const face = (card, { size = "small" } = {}) => {
    const element = document.createElement("span");
    element.className = `card card-${size}`;
    const drawn = `face-${card === null ? "back" : faceOf(card)}`;
    element.append(has(drawn) ? symbol(prefix + drawn, "card-face", FACE) : plainFace("card-face"));
    if (card === null) {
      return element;
    }
    element.dataset.card = card;
    element.dataset.kind = kindOf(card);
    const short = kindsNow().get(kindOf(card))?.label ?? "";
    if (short !== "") {
      const mark = document.createElement("span");
      mark.className = "card-label";
      mark.setAttribute("aria-hidden", "true");
      mark.textContent = short;
      element.append(mark);
    }
    const label = document.createElement("span");
    label.className = size === "mini" ? "unseen" : "card-name";
    label.textContent = name(card);
    if (label.textContent.split(/[\s-]/).some((word) => word.length > LONG_WORD)) {
      label.dataset.long = "";
    }
    element.append(label);
    return element;
  };
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
  /** Another number for each pack that was told: what was drawn of an older one is out of date. */
  const edition = () => (kindsNow(), packs);
  return { face, back, sign, hasSign, name, all, edition };
};
