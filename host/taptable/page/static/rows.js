// A team's mat on the cloth: its score, its state and quotas as pips where the game has such, what else is counted for
// it, and its rows as small faces that overlap. It must not know where on the table the mat lies, nor the rules of the rows.

import { el, fill, setData, setText } from "./elements.js";
import { html, toElement } from "./html.js";
import { sign } from "./signs.js";

const SHOWN_OF_HEAP = 9;
const OPEN_HEAP = 4;
/** Where a team has more rows than this, the empty ones take less room. */
const MANY_HEAPS = 6;
const OPEN_OF_MANY = 2;
const STEP = 0.24;

/** The heaps of a team as drawn: rows that count to a quota with their mark, others without. */
const heapsOf = (team) => {
  const marks = new Map(team.marks.map((mark) => [mark.name, mark]));
  const places = team.rows.map((row) => ({ ...row, mark: marks.get(row.place) ?? null }));
  const missing = team.marks
    .filter((mark) => !team.rows.some((row) => row.place === mark.name))
    .map((mark) => ({ place: mark.name, cards: [], token: "", mark }));
  return [...places, ...missing];
};

/** How many card widths a heap takes, of so many: its cards overlap, so that only the top one is whole. */
const widthOf = ({ cards, mark }, of) => {
  const open = of > MANY_HEAPS ? OPEN_OF_MANY : OPEN_HEAP;
  return 1 + STEP * (Math.min(SHOWN_OF_HEAP, Math.max(cards.length, mark?.need ?? open, open)) - 1);
};

/** Seats by name: "Seat 1", "Seats 1 and 4". */
export const seatsName = (words, seats) =>
  seats.length === 1
    ? words.say("page seat", { seat: seats[0] })
    : words.say("page seats", { most: seats.slice(0, -1).join(", "), last: seats[seats.length - 1] });

/** The name of a place where cards lie; a row of one kind of card is called like the card. */
export const placeName = (words, place) => words.say(words.has(`place ${place}`) ? `place ${place}` : `card ${place}`);

const pips = ({ have, need }) => {
  const row = el("span", { class: "pips", "aria-hidden": "true" });
  for (let n = 1; n <= Math.max(need, have); n += 1) {
    row.append(el("span", { class: "pip", data: { full: String(n <= have) } }));
  }
  return row;
};

/** The state of a team, such as that of its line, as a sign and a word; null in a game without one. */
export const lineChip = (words, team) => {
  if (team.state === "") {
    return null;
  }
  const known = words.has(`line ${team.state}`);
  const word = known ? words.say(`line ${team.state}`, { rate: team.allowance }) : team.state;
  return html`<span class="line" title=${word} data-line=${team.state}>${sign(team.state)}<span>${word}</span></span>`;
};

/** A mark in words for those who don't see the pips. */
export const markLabel = (words, mark) => {
  const said = words.say("page mark", { name: placeName(words, mark.name), have: mark.have, need: mark.need });
  return mark.secured ? `${said}, ${words.say("page secured")}` : said;
};

/** What is counted, in words: "users: 2 of 4". */
export const countText = (words, { name, have, of }) => {
  const what = words.say(`count-of ${name}`);
  return of === null ? words.say("page count", { what, have }) : words.say("page count-of", { what, have, of });
};

/** What is counted for a team, each by its name and number. */
export const countChips = (words, team) =>
  team.counts.map(
    (count) => html`
      <span class="tally" title=${countText(words, count)} data-counts=${count.name}>
        <span class="tally-name" aria-hidden="true">${words.say(`count-of ${count.name}`)}</span>
        <span class="tally-number" aria-hidden="true">
          ${count.of === null ? String(count.have) : `${count.have}/${count.of}`}
        </span>
        <span class="unseen">${countText(words, count)}</span>
      </span>
    `,
  );

/** What a team's place went by, where that isn't its score; null where it is. */
export const decisiveNote = (words, { decisive }) =>
  decisive ? html`<span class="decisive">${countText(words, decisive)}</span>` : null;

/** The marker that lies with a heap's cards; null if there is none. */
export const tokenOf = (words, heap) => {
  if (heap.token === "") {
    return null;
  }
  const name = words.say(`token ${heap.token}`);
  const whose = heap.token_seat === null ? name : words.say("page token-of", { name, seat: heap.token_seat });
  return html`
    <span class="token" title=${whose} data-token=${heap.token}>
      <span aria-hidden="true">${name.slice(0, 1)}${heap.token_seat ?? ""}</span>
      <span class="unseen">${whose}</span>
    </span>
  `;
};

const drawMark = (words, cards, mark) => {
  const label = markLabel(words, mark);
  const count = mark.secured ? String(mark.have) : `${mark.have}/${mark.need}`;
  return el(
    "span",
    {
      class: "mark-of",
      title: label,
      data: { mark: mark.name, full: String(mark.have >= mark.need), secured: String(mark.secured) },
    },
    cards.sign(mark.name, "sign mark-kind"),
    el("span", { class: "mark-count", "aria-hidden": "true" }, count),
    mark.secured ? sign("lock", "sign mark-lock") : null,
    pips(mark),
    el("span", { class: "unseen" }, label),
  );
};

const drawHeap = (words, cards, heap, of) => {
  const { mark } = heap;
  const shown = heap.cards.slice(-SHOWN_OF_HEAP);
  const pile = el("span", { class: "heap-cards", data: { empty: String(shown.length === 0) } });
  pile.style.setProperty("--of", String(shown.length));
  shown.forEach((card, at) => {
    const face = toElement(cards.face(card, { size: "mini" }));
    face.style.setProperty("--at", String(at));
    pile.append(face);
  });
  if (shown.length === 0) {
    pile.append(mark !== null ? toElement(cards.sign(heap.place, "sign heap-sign")) : "");
  }
  const token = tokenOf(words, heap);
  pile.append(token === null ? "" : toElement(token));
  const place = placeName(words, heap.place);
  const laid = el(
    "li",
    { class: "heap", title: place, data: { place: heap.place, counts: String(mark !== null), empty: String(shown.length === 0) } },
    el("span", { class: "unseen" }, place),
    pile,
    mark === null ? el("span", { class: "heap-name", "aria-hidden": "true" }, place) : drawMark(words, cards, mark),
  );
  laid.style.setProperty("--width", String(widthOf(heap, of)));
  return laid;
};

/** A mat for the team at `index`; `draw(team, {shared})`, `shared` if several seats may play onto it. */
export const makeMat = (index, { words, cards }) => {
  const number = el("span", { class: "score-number" });
  const unit = el("span", { class: "score-unit" });
  const score = el("p", { class: "score", data: { score: "" } }, number, " ", unit);
  const who = el("p", { class: "mat-who" });
  const line = el("p", { class: "mat-line" });
  const place = el("p", { class: "mat-place", hidden: true });
  const tallies = el("p", { class: "tallies" });
  const heaps = el("ul", { class: "heaps" });
  const element = el(
    "div",
    { class: "mat", role: "group", data: { team: String(index) } },
    el("div", { class: "mat-head" }, who, score, tallies, place, line),
    heaps,
  );
  let drawn = "";
  let laidOut = new Map();

  /** The heaps as elements; one in which nothing has changed stays the same element. */
  const drawHeaps = (laid) => {
    const kept = laidOut;
    laidOut = new Map(
      laid.map((heap) => {
        const now = JSON.stringify([heap, laid.length > MANY_HEAPS, words.language(), cards.edition()]);
        const before = kept.get(heap.place);
        return [heap.place, before?.now === now ? before : { now, element: drawHeap(words, cards, heap, laid.length) }];
      }),
    );
    const elements = [...laidOut.values()].map((heap) => heap.element);
    if (elements.length !== heaps.childElementCount || elements.some((each, at) => each !== heaps.children[at])) {
      heaps.replaceChildren(...elements);
    }
  };

  return {
    element,
    draw: (team, { shared }) => {
      const now = JSON.stringify([team, shared, words.language(), cards.edition()]);
      if (now === drawn) {
        return;
      }
      drawn = now;
      const called = seatsName(words, team.seats);
      element.setAttribute("aria-label", words.say("page rows-of", { seats: called }));
      setData(element, "shared", String(shared));
      who.replaceChildren(
        el("span", { class: "unseen" }, called),
        ...team.seats.map((seat) => el("span", { class: "badge badge-small", "aria-hidden": "true" }, String(seat))),
      );
      const changed = setText(number, String(team.score));
      setText(unit, words.say(`unit ${team.unit}`));
      setData(score, "score", team.score);
      if (changed) {
        score.getAnimations?.().forEach((animation) => animation.cancel());
        score.classList.remove("fresh");
        requestAnimationFrame(() => score.classList.add("fresh"));
      }
      fill(line, lineChip(words, team));
      fill(tallies, ...countChips(words, team));
      tallies.hidden = team.counts.length === 0;
      setData(element, "marks", String(team.marks.length > 0));
      place.hidden = team.place === null;
      setData(element, "place", team.place);
      fill(
        place,
        ...(team.place === null ? [] : [sign("laurel", "sign laurel"), words.say("page place", { place: team.place })]),
        decisiveNote(words, team),
      );
      const laid = heapsOf(team);
      heaps.style.setProperty("--widths", String(laid.reduce((sum, heap) => sum + widthOf(heap, laid.length), 0)));
      heaps.style.setProperty("--gaps", String(laid.length - 1));
      drawHeaps(laid);
    },
  };
};
