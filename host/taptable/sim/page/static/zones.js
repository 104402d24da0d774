// The cards in reach of a person's seat, zone by zone: large enough to read and to touch, those that count now raised,
// with a sign of where they go. Knows what may go where from the table, and no rule.

import { el } from "/static/elements.js";
import { draw as drawInto, html } from "/static/html.js";
import { badge } from "/static/names.js";
import { padsOf } from "./choice.js";

const LONG = 10;
const MANY = 3;

/** A seat's pad, and no other of the table's. */
const isOfSeat = (pad) => /^\d+$/.test(pad);

/** Where a card goes: to `you`, to other seats by their numbers and colours, to a pad of the game's own, away. */
const goes = (pads, seat, you) => {
  const others = pads
    .filter((pad) => pad !== "discard" && pad !== String(seat))
    .sort()
    .map((pad) => (isOfSeat(pad) ? badge(pad) : "▲"));
  const to = [...(pads.includes(String(seat)) ? [you] : []), ...others];
  if (to.length > 0) {
    return html`→ ${to}`;
  }
  return pads.includes("discard") ? "↧" : "";
};

/**
 * The zones of one seat's hand.
 * @param {{words: any, cards: any}} page
 * @param {number} seat
 */
export const makeZones = ({ words, cards }, seat) => {
  const { say } = words;
  const element = el("div", { class: "reach", tabindex: -1 });
  let about = "";

  const padName = (pad) => {
    if (!isOfSeat(pad)) {
      return say(pad === "discard" ? "page pad-discard" : `pad ${pad}`);
    }
    return say(pad === String(seat) ? "page pad-own" : "page pad-of", { seat: pad });
  };
  const zoneName = ({ place, seats }) => {
    const name = words.has(`place ${place}`) ? say(`place ${place}`) : cards.name(place);
    return place === "hand" || seats.length === 0 ? name : `${name} ${seats.join("+")}`;
  };

  const drawCard = (card, place, index, { hand, chosen, busy }) => {
    const pads = padsOf(card, hand.fair);
    const holds = padsOf(card, hand.holds).length > 0;
    const playable = hand.raised.includes(card);
    const name = cards.name(card);
    const where = [...pads.map(padName), ...(holds ? [say("page hand-holds")] : [])].join(", ");
    return html`
      <button class="own-card" type="button" key=${card} data-card=${card} data-place=${place} data-playable=${playable}
        data-many=${playable && pads.length > MANY} data-long=${name.split(/[ -]/).some((word) => word.length > LONG)}
        aria-pressed=${chosen === card} aria-disabled=${busy ? "true" : null}
        aria-label=${where ? say("page hand-goes", { card: name, pads: where }) : name}>
        ${/* the button is the card: one element with this name */ cards.face(card, { size: "large", hook: null })}
        <span class="goes" aria-hidden="true">${playable ? goes(pads, seat, say("page you")) || "◔" : ""}</span>
        <kbd class="card-key" aria-hidden="true">${index < 9 ? index + 1 : ""}</kbd>
      </button>
    `;
  };

  const buttonOf = (card) => element.querySelector(`button[data-card="${CSS.escape(card)}"]`);

  /** Where the cards that count aren't in the hand, begin with them. */
  const showAbout = (hand, zones) => {
    const may = new Set(hand.fair.map(([card]) => card));
    const first = zones.find((zone) => zone.cards.some((card) => may.has(card)));
    const key = first && first.place !== "hand" ? `${first.place} ${first.seats}` : "";
    if (key !== about) {
      about = key;
      const button = key ? buttonOf(first.cards.find((card) => may.has(card))) : null;
      const before = button?.previousElementSibling ? button.offsetWidth / 2 : 8;
      const left = button
        ? button.getBoundingClientRect().left - element.getBoundingClientRect().left + element.scrollLeft - before
        : 0;
      element.scrollTo({ left, behavior: "instant" });
    }
  };

  const buttonsNow = () => [...element.querySelectorAll("button")];

  /** Where the card that had the focus is gone, its neighbour has it. */
  const keepFocus = (before) => {
    if (before >= 0 && !element.contains(document.activeElement)) {
      const buttons = buttonsNow();
      (buttons[Math.min(before, buttons.length - 1)] ?? element).focus({ preventScroll: true });
    }
  };

  return {
    element,
    /** Draw these zones; `chosen` is a card id or null. */
    draw(hand, zones, chosen, busy) {
      const focused = buttonsNow().indexOf(document.activeElement);
      let index = -1;
      const drawZone = (zone) => {
        const name = zoneName(zone);
        const each = (card) => drawCard(card, zone.place, (index += 1), { hand, chosen, busy });
        return html`
          <div class="reach-zone" role="group" key=${`${zone.place} ${zone.seats}`} data-place=${zone.place} aria-label=${name}>
            <span class="reach-name">${name}</span>
            <span class="reach-cards">${zone.cards.map(each)}</span>
          </div>
        `;
      };
      drawInto(element, zones.map(drawZone));
      keepFocus(focused);
      showAbout(hand, zones);
    },
    /** The button of a card, if it is in reach. */
    button: buttonOf,
  };
};
