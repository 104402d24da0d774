// What lies in the middle of the table for everybody: piles that are only counted, the discard pile, a pyramid, and
// whatever else lies open. Each is found by its form, for it must not know the game.

import { hold, html } from "./html.js";
import { countText, placeName, tokenOf } from "./rows.js";

/** So many cards of the discard pile are seen where no extension takes the room. */
const FAN = 5;
const DISCARD = "discard-pile";
/** A place in a pyramid: its name, its level from the bottom on, and its number on that level. */
const IN_PYRAMID = /^(.+)-(\d+)-(\d+)$/;

const drawPile = (words, name, count, faces) => html`
  <div class="pile" key=${name} data-pile=${name} data-depth=${count === 0 ? "none" : count < 8 ? "low" : "high"}>
    <span class="pile-top">${count === 0 ? html`<span class="pile-empty"></span>` : faces}</span>
    <p class="cluster baseline small pile-label">
      <span class="soft pile-name">${words.say(words.has(`place ${name}`) ? `place ${name}` : `count-of ${name}`)}</span>
      <span class="strong digits pile-number" aria-hidden="true">${count}</span>
      <span class="unseen">${words.say("page pile-cards", { number: count })}</span>
    </p>
  </div>
`;

/** Something counted that is no pile: there is only so much of it. */
const drawCounter = (words, count) => html`
  <p class="counter" key=${count.name} title=${countText(words, count)} data-pile=${count.name}>
    <span class="soft pile-name" aria-hidden="true">${words.say(`count-of ${count.name}`)}</span>
    <span class="strong digits pile-number" aria-hidden="true">${count.have}/${count.of}</span>
    <span class="unseen">${countText(words, count)}</span>
  </p>
`;

/** The levels of a pyramid's zones, the top one first, each with its number and its zones from left to right. */
const levelsOf = (zones) => {
  const levels = new Map();
  zones.forEach((zone) => {
    const level = Number(zone.place.match(IN_PYRAMID)[2]);
    levels.set(level, [...(levels.get(level) ?? []), zone]);
  });
  return [...levels].sort(([one], [other]) => other - one);
};

/** A pyramid of the zones that lie in one, if any do. */
export const drawPyramid = ({ words, cards }, { zones }) => {
  const place = (zone) => html`
    <span class="pyramid-place" key=${zone.place} data-place=${zone.place} data-empty=${zone.cards.length === 0}>
      ${zone.cards.slice(-1).map((card) => cards.face(card))}
      ${zone.cards.length === 0 && html`<span class="unseen">${words.say("page row-empty")}</span>`}
      ${tokenOf(words, zone)}
    </span>
  `;
  const level = ([number, places]) => html`
    <li class="pyramid-level" key=${number} data-level=${number}>
      <span class="pyramid-number" aria-hidden="true">${number}</span>
      <span class="unseen">${words.say("page pyramid-level", { level: number })}</span>
      ${places.map(place)}
    </li>
  `;
  const there = zones.filter((zone) => IN_PYRAMID.test(zone.place));
  return there.length > 0 &&
    html`<ol class="pyramid" aria-label=${words.say("page pyramid")} data-pyramid>${levelsOf(there).map(level)}</ol>`;
};

/** What is counted, what an extension has between, and the discard pile, marked where cards count there. */
export const drawPiles = ({ words, cards, about, slots }, { stock, zones }, counts) => {
  const counted = (count) =>
    count.of === null
      ? drawPile(words, count.name, count.have, cards.back(count.name, "pile-back"))
      : drawCounter(words, count);
  const discard = (zone) => {
    const seen = zone.cards.slice(about.extension === null ? -FAN : -1);
    const face = (card, at) => {
      const below = seen.length - 1 - at;
      return cards.face(card, { size: below === 0 ? "small" : "mini", style: { "--below": below } });
    };
    return drawPile(words, DISCARD, zone.cards.length, seen.map(face));
  };
  return html`
    <div class="stock" data-stock>${stock.map(counted)}</div>
    ${hold(slots.centre)}
    <div class="laid" data-laid data-counts=${counts}>${zones.filter(({ place }) => place === DISCARD).map(discard)}</div>
  `;
};

/** The zones that lie in the middle only for a while: all their cards are seen. */
export const drawOpen = ({ words, cards }, { zones }) =>
  zones
    .filter(({ place, cards: there }) => place !== DISCARD && !IN_PYRAMID.test(place) && there.length > 0)
    .map(
      (zone) => html`
        <div class="open-zone" role="group" key=${zone.place} aria-label=${placeName(words, zone.place)}
          data-place=${zone.place}>
          <span class="zone-name">${placeName(words, zone.place)}</span>
          <span class="open-cards">${zone.cards.map((card) => cards.face(card, { size: "mini" }))}</span>
        </div>
      `,
    );
