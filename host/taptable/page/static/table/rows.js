// A team's mat: its score, its state and quotas as pips if the game has them, other counts, and its rows as small
// overlapping faces. It must not know where on the table the mat lies, nor the rules of the rows.

import { html, icon } from "../html.js";

const MAX_SHOWN = 9;
const MIN_SLOTS = 4;
/** For a team with more rows than this, empty ones take less room. */
const MANY_ZONES = 6;
const MIN_SLOTS_OF_MANY = 2;
const OVERLAP_STEP = 0.24;

/** Returns a team's zones as drawn: rows with a quota have a `mark`, others null. */
const zonesOf = (team) => {
  const marks = new Map(team.marks.map((mark) => [mark.name, mark]));
  const places = team.rows.map((row) => ({ ...row, mark: marks.get(row.place) ?? null }));
  const missing = team.marks
    .filter((mark) => !team.rows.some((row) => row.place === mark.name))
    .map((mark) => ({ place: mark.name, cards: [], token: "", mark }));
  return [...places, ...missing];
};

/** Returns a zone's width in card widths, for a mat of `zoneCount` zones. Cards overlap; only the top one is whole. */
const widthOf = ({ cards, mark }, zoneCount) => {
  const slots = zoneCount > MANY_ZONES ? MIN_SLOTS_OF_MANY : MIN_SLOTS;
  return 1 + OVERLAP_STEP * (Math.min(MAX_SHOWN, Math.max(cards.length, mark?.need ?? slots, slots)) - 1);
};

/** Names seats: "Seat 1", "Seats 1 and 4". */
export const seatsName = (words, seats) =>
  seats.length === 1
    ? words.say("page seat", { seat: seats[0] })
    : words.say("page seats", { most: seats.slice(0, -1).join(", "), last: seats[seats.length - 1] });

/** Returns the pads that the sentence of the part `counts` is about. */
export const padsThatCount = (counts) => (counts?.sentence ? counts.groups.flatMap(({ pads }) => pads) : []);

/** Names a place where cards lie; a row of one kind of card has the card's name. */
export const placeName = (words, place) => words.say(words.has(`place ${place}`) ? `place ${place}` : `card ${place}`);

const pips = ({ have, need }) => html`
  <span class="pips" aria-hidden="true">
    ${Array.from({ length: Math.max(need, have) }, (_, at) => html`<span class="pip" data-full=${at < have}></span>`)}
  </span>
`;

/** Draws a team's state, such as that of its line, as an icon and a word; null in a game without one. */
export const lineChip = (words, team) => {
  if (team.state === "") {
    return null;
  }
  const known = words.has(`line ${team.state}`);
  const word = known ? words.say(`line ${team.state}`, { rate: team.allowance }) : team.state;
  return html`<span class="line" title=${word} data-line=${team.state}>${icon(team.state)}<span>${word}</span></span>`;
};

/** Describes a quota in words, for people who don't see the pips. */
export const markLabel = (words, mark) => {
  const text = words.say("page mark", { name: placeName(words, mark.name), have: mark.have, need: mark.need });
  return mark.secured ? `${text}, ${words.say("page secured")}` : text;
};

/** Describes a count in words: "users: 2 of 4". */
export const countText = (words, { name, have, of }) => {
  const what = words.say(`count-of ${name}`);
  return of === null ? words.say("page count", { what, have }) : words.say("page count-of", { what, have, of });
};

/** Draws a team's counts, each with name and number. */
export const countChips = (words, team) =>
  team.counts.map(
    (count) => html`
      <span class="tally" title=${countText(words, count)} data-counts=${count.name}>
        <span class="soft tally-name" aria-hidden="true">${words.say(`count-of ${count.name}`)}</span>
        <span class="strong digits" aria-hidden="true">
          ${count.of === null ? String(count.have) : `${count.have}/${count.of}`}
        </span>
        <span class="visually-hidden">${countText(words, count)}</span>
      </span>
    `,
  );

/**
 * Draws a team's main figure with its unit: its score, or the count that decides in its place, followed by the score.
 */
export const drawFigures = (words, team) => {
  const { decisive } = team;
  const unit = (name, number) => {
    const one = `unit ${name} number=${number}`;
    return words.say(words.has(one) ? one : `unit ${name}`);
  };
  const [number, name] = decisive ? [decisive.have, decisive.name] : [team.score, team.unit];
  return html`
    <strong class="digits score-number" data-figure=${number}>${number}</strong>
    <span class="soft small score-unit" data-decides=${decisive ? "true" : null}> ${unit(name, number)}</span>
    ${decisive && html`<span class="soft small digits score-behind"> ${team.score} ${unit(team.unit, team.score)}</span>`}
  `;
};

/** Draws the count that decided a team's place, if that wasn't its score; else null. */
export const decisiveNote = (words, { decisive }) =>
  decisive ? html`<span class="decisive">${countText(words, decisive)}</span>` : null;

/** Draws the marker that lies with a zone's cards; null without one. */
export const drawToken = (words, zone) => {
  if (zone.token === "") {
    return null;
  }
  const name = words.say(`token ${zone.token}`);
  const label = zone.token_seat === null ? name : words.say("page token-of", { name, seat: zone.token_seat });
  return html`
    <span class="token" title=${label} data-token=${zone.token}>
      <span aria-hidden="true">${name.slice(0, 1)}${zone.token_seat ?? ""}</span>
      <span class="visually-hidden">${label}</span>
    </span>
  `;
};

/** Draws a quota: the kind's icon, its numbers and pips. */
export const drawMark = (words, cards, mark) => {
  const label = markLabel(words, mark);
  return html`
    <span class="mark-of" title=${label} data-mark=${mark.name} data-full=${mark.have >= mark.need}
      data-secured=${mark.secured}>
      ${cards.icon(mark.name, "icon mark-kind")}
      <span class="semibold digits mark-count" aria-hidden="true">
        ${mark.secured ? mark.have : `${mark.have}/${mark.need}`}
      </span>
      ${mark.secured && icon("lock", "icon mark-lock")}${pips(mark)}<span class="visually-hidden">${label}</span>
    </span>
  `;
};

const drawZone = (words, cards, zone, zoneCount) => {
  const { mark } = zone;
  const shown = zone.cards.slice(-MAX_SHOWN);
  const isEmpty = shown.length === 0;
  const place = placeName(words, zone.place);
  return html`
    <li class="zone" key=${zone.place} title=${place} style=${{ "--width": widthOf(zone, zoneCount) }} data-place=${zone.place}
      data-counts=${mark !== null} data-empty=${isEmpty}>
      <span class="visually-hidden">${place}</span>
      <span class="zone-cards" style=${{ "--of": shown.length }} data-empty=${isEmpty}>
        ${shown.map((card, at) => cards.face(card, { size: "mini", style: { "--at": at } }))}
        ${isEmpty && mark !== null && cards.icon(zone.place, "icon zone-icon")}${drawToken(words, zone)}
      </span>
      ${mark === null ? html`<span class="zone-name" aria-hidden="true">${place}</span>` : drawMark(words, cards, mark)}
    </li>
  `;
};

/** Draws the mat of the team at `index`; `shared` if several seats may play onto it. */
export const drawMat = ({ words, cards }, team, index, shared) => {
  const teamSeats = seatsName(words, team.seats);
  const zones = zonesOf(team);
  const widths = zones.reduce((sum, zone) => sum + widthOf(zone, zones.length), 0);
  return html`
    <div class="mat" role="group" aria-label=${words.say("page rows-of", { seats: teamSeats })} data-team=${index}
      data-shared=${shared} data-marks=${team.marks.length > 0} data-place=${team.place}>
      <div class="cluster mat-head">
        <p class="score fresh" key=${team.score} data-score=${team.score}>${drawFigures(words, team)}</p>
        <p class="tallies" hidden=${team.counts.length === 0}>${countChips(words, team)}</p>
        <p class="cluster strong small mat-place" hidden=${team.place === null}>
          ${team.place !== null && [icon("laurel", "icon laurel"), words.say("page place", { place: team.place })]}
        </p>
        <p class="mat-line">${lineChip(words, team)}</p>
      </div>
      <ul class="zones" style=${{ "--widths": widths, "--gaps": zones.length - 1 }}>
        ${zones.map((zone) => drawZone(words, cards, zone, zones.length))}
      </ul>
    </div>
  `;
};
