// A card as the page draws it: a face of the game's sheet and its name. It must not know where the card lies.

const LONG_WORD = 8;
const SVG = "http://www.w3.org/2000/svg";

/** The kind of a card id (`"email#7"`): `"email"`. */
export const kindOf = (card) => card.split("#")[0];

/** An SVG that shows the symbol `id` of the sheet; hidden from screen readers, whoever uses it gives the words. */
export const symbol = (id, className, viewBox = "0 0 24 24") => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  return svg;
};

/** Take the game's sheet of faces (SVG text) into the document, so that every `<use>` finds its symbol. */
export const takeSheet = (text, place) => {
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (sheet.nodeName === "svg") {
    sheet.setAttribute("aria-hidden", "true");
    place.replaceChildren(document.importNode(sheet, true));
  }
};

/** Cards in the words of the page. */
export const makeCards = (words) => {
  const name = (card) => words.say(`card ${kindOf(card)}`);
  /**
   * A card's face; `size` is `"mini"` (a face alone, named for screen readers), `"small"` or `"large"` (with its name).
   * `card` null is a card seen from behind.
   */
  const face = (card, { size = "small" } = {}) => {
    const element = document.createElement("span");
    element.className = `card card-${size}`;
    const kind = card === null ? "back" : kindOf(card);
    element.append(symbol(`face-${kind}`, "card-face", "0 0 63 88"));
    if (card === null) {
      return element;
    }
    element.dataset.card = card;
    element.dataset.kind = kind;
    const label = document.createElement("span");
    label.className = size === "mini" ? "unseen" : "card-name";
    label.textContent = name(card);
    if (label.textContent.split(/[\s-]/).some((word) => word.length > LONG_WORD)) {
      label.dataset.long = "";
    }
    element.append(label);
    return element;
  };
  /** The small sign of a kind. */
  const sign = (kind, className = "sign") => symbol(`sign-${kind}`, className);
  return { face, sign, name };
};
