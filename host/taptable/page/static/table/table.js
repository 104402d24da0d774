// The table from above: the prompt, the centre with its piles, and the teams' places with seats and rows. Piles are
// recognized by their form; it must not know the game.

import { draw, el, embed, html, icon } from "../html.js";
import { dot } from "../names.js";
import { makePrompt } from "./prompt.js";
import { countText, drawMat, drawToken, padsThatCount, placeName } from "./rows.js";

const chipOf = (seat, turn, window, place) => {
  if (place === 1) {
    return { key: "page place", facts: { place }, icon: "laurel", strong: true };
  }
  if (window?.claimant === seat.seat) {
    return { key: "page first", icon: "star", strong: true };
  }
  if (window?.pressed?.includes(seat.seat)) {
    return { key: "page pressed", icon: "bell", strong: true };
  }
  if (turn.checking?.seats?.includes(seat.seat)) {
    return { key: "page checked", icon: "ask", strong: true };
  }
  if (window?.answerer === seat.seat && seat.meaning !== null) {
    return { key: `meaning ${seat.meaning}`, icon: "bell", strong: true };
  }
  if (turn.seat === seat.seat && !turn.over) {
    return { key: "page on-turn", icon: "turn", strong: true };
  }
  if (!seat.used) {
    return { key: "page left", icon: "leave", strong: false };
  }
  if (seat.meaning === null && turn.skips?.includes(seat.seat)) {
    return { key: "page skips", icon: "skip", strong: false };
  }
  return seat.meaning === null ? null : { key: `meaning ${seat.meaning}`, icon: "bell", strong: false };
};

/** Draws what a seat holds: one number, or one for each kind of card that is counted separately. */
const drawHand = (words, cards, holds) => {
  const label = holds
    .map((count) => (holds.length === 1 ? words.say("page hand", { number: count.have }) : countText(words, count)))
    .join(", ");
  const drawCount = (count) => html`
    ${cards.back(count.name, "hand-card")}
    <span class="hand-number" aria-hidden="true" data-holds=${count.name}>${count.have}</span>
  `;
  return html`
    <p class="beside gap-xs semibold digits hand" title=${label}>
      ${holds.map(drawCount)}<span class="visually-hidden">${label}</span>
    </p>
  `;
};

/** Draws a `seat` in one line, from the parts `turn` and `window`; `place` is the team's final place. */
const drawSeat = ({ words, names, slots, cards }, seat, { turn, window, place }) => {
  const number = seat.seat;
  const mine = slots.isMine(number);
  const you = mine ? words.say("page you") : words.say("page seat", { seat: number });
  const playerName = names.nameAt(number);
  const name = [playerName, ...(mine || playerName === "" ? [you] : [])].filter(Boolean).join(" · ");
  const person = names.person(number);
  const chip = chipOf(seat, turn, window, place);
  const word = chip === null || !words.has(chip.key) ? "" : words.say(chip.key, chip.facts);
  return html`
    <section class="seat" key=${number} data-seat=${number} data-turn=${turn.seat === number && !turn.over}
      aria-label=${mine ? words.say("page seat-mine", { seat: number }) : names.seat(number)}
      data-mine=${mine ? "true" : null}>
      ${embed(slots.seat(number))}
      <span class="badge" aria-hidden="true" data-seat-of=${number}>${number}</span>
      <div class="seat-words">
        <h2 class="seat-name" title=${name}>${person !== null && html`${dot(person.colour)} `}${name}</h2>
        <p class="beside gap-xs chip seat-chip" title=${word} data-strong=${chip?.strong ? "true" : null}>
          ${word !== "" && icon(chip.icon)}<span class="chip-word">${word}</span>
        </p>
      </div>
      ${drawHand(words, cards, seat.holds)}
    </section>
  `;
};

/** Number of discarded cards shown if no extension uses the room. */
const FANNED_CARDS = 5;
const DISCARD = "discard-pile";
/** A place in a pyramid: name, level counted from the bottom, number on that level. */
const PYRAMID_PLACE = /^(.+)-(\d+)-(\d+)$/;

const drawPile = (words, name, count, faces) => html`
  <div class="pile" key=${name} data-pile=${name} data-depth=${count === 0 ? "none" : count < 8 ? "low" : "high"}>
    <span class="pile-top">${count === 0 ? html`<span class="pile-empty"></span>` : faces}</span>
    <p class="cluster baseline small pile-label">
      <span class="soft pile-name">${words.say(words.has(`place ${name}`) ? `place ${name}` : `count-of ${name}`)}</span>
      <span class="strong digits pile-number" aria-hidden="true">${count}</span>
      <span class="visually-hidden">${words.say("page pile-cards", { number: count })}</span>
    </p>
  </div>
`;

/** Draws a limited supply that is counted but is no pile. */
const drawCounter = (words, count) => html`
  <p class="counter" key=${count.name} title=${countText(words, count)} data-pile=${count.name}>
    <span class="soft pile-name" aria-hidden="true">${words.say(`count-of ${count.name}`)}</span>
    <span class="strong digits pile-number" aria-hidden="true">${count.have}/${count.of}</span>
    <span class="visually-hidden">${countText(words, count)}</span>
  </p>
`;

/** Returns the levels of a pyramid, the top first, as `[level, zones]` with zones from left to right. */
const levelsOf = (zones) => {
  const levels = new Map();
  zones.forEach((zone) => {
    const level = Number(zone.place.match(PYRAMID_PLACE)[2]);
    levels.set(level, [...(levels.get(level) ?? []), zone]);
  });
  return [...levels].sort(([one], [other]) => other - one);
};

/** Draws the pyramid; false if the game has none. */
const drawPyramid = ({ words, cards }, { zones }) => {
  const place = (zone) => html`
    <span class="pyramid-place" key=${zone.place} data-place=${zone.place} data-empty=${zone.cards.length === 0}>
      ${zone.cards.slice(-1).map((card) => cards.face(card))}
      ${zone.cards.length === 0 && html`<span class="visually-hidden">${words.say("page row-empty")}</span>`}
      ${drawToken(words, zone)}
    </span>
  `;
  const level = ([number, places]) => html`
    <li class="pyramid-level" key=${number} data-level=${number}>
      <span class="pyramid-number" aria-hidden="true">${number}</span>
      <span class="visually-hidden">${words.say("page pyramid-level", { level: number })}</span>
      ${places.map(place)}
    </li>
  `;
  const pyramidZones = zones.filter((zone) => PYRAMID_PLACE.test(zone.place));
  return pyramidZones.length > 0 &&
    html`<ol class="pyramid" aria-label=${words.say("page pyramid")} data-pyramid>${levelsOf(pyramidZones).map(level)}</ol>`;
};

/** Draws the counted piles, the extension's slot, and the discard pile, marked if cards count there. */
const drawPiles = ({ words, cards, about, slots }, { stock, zones }, counts) => {
  const drawCount = (count) =>
    count.of === null
      ? drawPile(words, count.name, count.have, cards.back(count.name, "pile-back"))
      : drawCounter(words, count);
  const drawDiscard = (zone) => {
    const visible = zone.cards.slice(about.extension === null ? -FANNED_CARDS : -1);
    const face = (card, at) => {
      const below = visible.length - 1 - at;
      return cards.face(card, { size: below === 0 ? "small" : "mini", style: { "--below": below } });
    };
    return drawPile(words, DISCARD, zone.cards.length, visible.map(face));
  };
  return html`
    <div class="stock" data-stock>${stock.map(drawCount)}</div>
    ${embed(slots.centre)}
    <div class="discard" data-discard data-counts=${counts}>${zones.filter(({ place }) => place === DISCARD).map(drawDiscard)}</div>
  `;
};

/** Draws zones that lie in the centre for a while, with all their cards. */
const drawOpenZones = ({ words, cards }, { zones }) =>
  zones
    .filter(({ place, cards: zoneCards }) => place !== DISCARD && !PYRAMID_PLACE.test(place) && zoneCards.length > 0)
    .map(
      (zone) => html`
        <div class="open-zone" role="group" key=${zone.place} aria-label=${placeName(words, zone.place)}
          data-place=${zone.place}>
          <span class="zone-name">${placeName(words, zone.place)}</span>
          <span class="open-cards">${zone.cards.map((card) => cards.face(card, { size: "mini" }))}</span>
        </div>
      `,
    );

const NO_PILES = { stock: [], zones: [] };

/** Draws the centre of the table into `root`. */
const makeCentre = (root, page) => {
  const { store } = page;
  const [piles, pyramid, open] = ["piles", "pyramids", "open-zones"].map((name) => el("div", { class: name }));
  root.replaceChildren(piles, pyramid, open);
  const drawAll = () => {
    const part = store.get("piles") ?? NO_PILES;
    const countingPads = padsThatCount(store.get("counts"));
    draw(piles, drawPiles(page, part, countingPads.includes("discard")));
    draw(pyramid, drawPyramid(page, part));
    draw(open, drawOpenZones(page, part));
  };
  ["piles", "counts"].forEach((part) => store.on(part, () => store.schedule(drawAll)));
};

const NO_TURN = { seat: null, paused: false, over: false };
/** More places than this are laid out in two columns. */
const ONE_COLUMN = 3;

/**
 * Returns the order in which places are drawn, line by line, as offsets clockwise from one's own place. That is the
 * last in a single column, and at the lower left of two columns; the others follow round the table.
 */
export const orderOf = (teamCount) => {
  if (teamCount <= ONE_COLUMN) {
    return [...Array(teamCount).keys()].map((at) => (at + 1) % teamCount);
  }
  const lines = Math.ceil(teamCount / 2);
  return [...Array(lines).keys()].flatMap((line) => [lines - 1 - line, lines + line]).filter((offset) => offset < teamCount);
};

/** Draws the table into `root`. */
export const makeTable = (root, page) => {
  const { store, slots, words } = page;
  const prompt = el("div", { class: "prompt" });
  const centre = el("div", { class: "centre" });
  const places = el("div", { class: "places" });
  root.replaceChildren(prompt, el("div", { class: "cloth" }, centre, places));
  makePrompt(prompt, page);
  makeCentre(centre, page);

  const drawAll = () => {
    const table = store.get("table");
    const teams = store.get("teams") ?? [];
    if (table === undefined || teams.length === 0) {
      return;
    }
    const seats = new Map((store.get("seats") ?? []).map((seat) => [seat.seat, seat]));
    const turn = store.get("turn") ?? NO_TURN;
    const window = store.get("window") ?? null;
    const ownTeam = teams.findIndex((team) => team.seats.includes(Math.min(slots.ownSeat(), table.players)));
    const shared = teams.some((team) => team.seats.length > 1);
    const countingPads = padsThatCount(store.get("counts"));
    const drawPlace = (index) => {
      const team = teams[index];
      const seated = team.seats.filter((number) => seats.has(number));
      const seat = (number) => drawSeat(page, seats.get(number), { turn, window, place: team.place });
      return html`
        <section class="place" key=${index} data-of-team=${index} data-won=${team.place === 1 ? "true" : null}
          data-turn=${!turn.over && team.seats.includes(turn.seat)} data-mine=${team.seats.some(slots.isMine)}
          data-counts=${team.seats.some((seat) => countingPads.includes(seat))}>
          <div class="plate"><div class="place-seats">${seated.map(seat)}</div>${drawMat(page, team, index, shared)}</div>
        </section>
      `;
    };
    draw(places, orderOf(teams.length).map((offset) => drawPlace((ownTeam + offset) % teams.length)));
    Object.assign(root.dataset, {
      seats: table.players,
      places: teams.length,
      shared,
      paused: turn.paused,
      over: turn.over,
      countdown: window === null ? "none" : window.claimant === null ? "open" : "claim",
    });
    root.setAttribute("aria-label", words.say("page table"));
  };

  const scheduleDraw = () => store.schedule(drawAll);
  ["table", "seats", "teams", "counts", "turn", "window", "names", "people"].forEach((name) =>
    store.on(name, scheduleDraw),
  );
  slots.onSeatsChange(scheduleDraw);
};
