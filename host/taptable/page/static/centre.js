// The middle of the table: what is only counted, what an extension has there, the discard pile, a pyramid, and whatever
// else lies open for everybody. It must not know the game.

import { el } from "./elements.js";
import { draw } from "./html.js";
import { drawOpen, drawPiles, drawPyramid } from "./piles.js";

const NO_PILES = { stock: [], zones: [] };

/** The middle of the table in `root`. */
export const makeCentre = (root, page) => {
  const { store } = page;
  const [piles, pyramid, open] = ["piles", "pyramids", "open-zones"].map((name) => el("div", { class: name }));
  root.replaceChildren(piles, pyramid, open);
  store.on("piles", () =>
    store.soon(() => {
      const told = store.get("piles") ?? NO_PILES;
      draw(piles, drawPiles(page, told));
      draw(pyramid, drawPyramid(page, told));
      draw(open, drawOpen(page, told));
    }),
  );
};
