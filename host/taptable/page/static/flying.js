// Cards fly from where they lay to where they lie now, so that an eye can follow others' turns. It must not know why a card
// moved; what can't be seen comes from the hand of whoever is on turn, or from a pile.

import { el } from "./elements.js";

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
    if (before.size > 0 && moved.length <= MOST && !STILL.matches && store.speed() <= QUICKEST) {
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
