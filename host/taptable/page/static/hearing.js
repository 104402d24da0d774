// What a screen reader reads out by itself while the table is shown: what must be known at once before all else, the rest
// when it is its turn, and only the newest of what came all together. It must not know what a sentence means.

import { el } from "./elements.js";

const MOST_AT_ONCE = 3;

/** The sentences to be read out of new items: `{now, later}`, each "" if there is nothing. */
const toBeRead = (items) => {
  const heard = items.filter((item) => item.spoken !== "");
  const said = (wanted) =>
    heard
      .filter(wanted)
      .slice(-MOST_AT_ONCE)
      .map((item) => item.spoken)
      .join(" ");
  return { now: said((item) => item.urgent), later: said((item) => !item.urgent) };
};

/** Put what is read out into `place`; nobody sees it. */
export const makeHearing = (place, { store }) => {
  const now = el("p", { class: "unseen", role: "alert", data: { hearing: "now" } });
  const later = el("p", { class: "unseen", role: "status", data: { hearing: "later" } });
  place.append(now, later);
  // a sentence stands until the next: what is taken away at once may not have been read yet
  const read = (region, sentence) => {
    if (sentence !== "") {
      region.textContent = sentence;
    }
  };
  // what stood there when the page came, or the table came back, is no news; nor is what comes again
  let boot = null;
  let next = 0;
  const isNews = ({ n }) => store.known().boot === boot && n >= next;
  store.onItems("log", (items) => {
    const heard = toBeRead(items.filter(isNews));
    read(now, heard.now);
    read(later, heard.later);
    next = Math.max(next, (items[items.length - 1]?.n ?? -1) + 1);
  });
  store.onSettled(() => {
    const known = store.known();
    if (known.boot !== boot) {
      boot = known.boot;
      next = known.next.log ?? 0;
    }
  });
};
