// The places that the base keeps empty for the extension, and the tabs beside the table. It must not know what goes there.

import { makeTabs } from "./tabs.js";

/**
 * The slots: `centre`, `prompt`, `dock`, `bar` (elements), `seat(n)` (the same element for a seat as long as the page is open),
 * `tabs.add(name, labelKey, element)`; `own(seat)` turns the table until that seat sits at the bottom, `mine(seats)`
 * says which seats are played from this page.
 */
export const makeSlots = (words) => {
  const seats = new Map();
  const turned = new Set();
  let own = 1;
  let mine = [];
  const centre = document.createElement("div");
  centre.className = "centre-slot";
  centre.dataset.slot = "centre";
  const prompt = document.createElement("div");
  prompt.className = "prompt-slot";
  return {
    centre,
    prompt,
    dock: document.querySelector('[data-slot="dock"]'),
    bar: document.querySelector('[data-slot="bar"]'),
    tabs: makeTabs(document.querySelector("[data-tabs]"), document.querySelector("[data-panels]"), words),
    seat: (seat) => {
      if (!seats.has(seat)) {
        const element = document.createElement("div");
        element.className = "seat-slot";
        seats.set(seat, element);
      }
      return seats.get(seat);
    },
    own: (seat) => {
      if (seat !== own) {
        own = seat;
        turned.forEach((listener) => listener(seat));
      }
    },
    ownSeat: () => own,
    mine: (played) => {
      if (String(played) !== String(mine)) {
        mine = [...played];
        turned.forEach((listener) => listener(own));
      }
    },
    isMine: (seat) => mine.includes(seat),
    onTurned: (listener) => turned.add(listener),
  };
};
