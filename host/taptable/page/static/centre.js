// The middle of the table: what is only counted, what an extension has there, the discard pile, a pyramid, and whatever
// else lies open for everybody. It must not know the game.

import { padsThatCount } from "./counts.js";
import { el } from "./elements.js";
import { draw } from "./html.js";
import { drawOpen, drawPiles, drawPyramid } from "./piles.js";

const NO_PILES = { stock: [], zones: [] };

/** The middle of the table in `root`. */
export const makeCentre = (root, page) => {
  const { store } = page;
  const [piles, pyramid, open] = ["piles", "pyramids", "open-zones"].map((name) => el("div", { class: name }));
  root.replaceChildren(piles, pyramid, open);
  const drawAll = () => {
    const told = store.get("piles") ?? NO_PILES;
    const counting = padsThatCount(store.get("counts"));
    draw(piles, drawPiles(page, told, counting.includes("discard")));
    draw(pyramid, drawPyramid(page, told));
    draw(open, drawOpen(page, told));
  };
  ["piles", "counts"].forEach((part) => store.on(part, () => store.soon(drawAll)));
};
