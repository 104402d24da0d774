// The tabs beside the table: what counts now, every team's rows in full, controls, and how to play. The log and the end
// of the game are elsewhere. It must not know the rules of the game.

import { drawOnChange, el, html } from "./html.js";
import { badge } from "./names.js";
import { countChips, drawToken, lineChip, markLabel, placeName, seatsName } from "./table/rows.js";
import { drawInTab } from "./tabs.js";

/** Names seats and other pads. */
const padsName = (words, pads) => {
  const seats = pads.filter((pad) => typeof pad === "number");
  const name = (pad) => words.say(words.has(`page pad-${pad}`) ? `page pad-${pad}` : `pad ${pad}`);
  const others = pads.filter((pad) => typeof pad !== "number").map(name);
  return [...(seats.length === 0 ? [] : [seatsName(words, seats)]), ...others].join(", ");
};

/** The tab for learners: which cards would count now, on which pads. The table knows nobody's hand. */
export const makeCounts = (page) => {
  const { store, words, cards } = page;
  const element = el("div", { class: "stack" });
  const face = (kind) => html`<li key=${kind} data-kind=${kind}>${cards.face(kind)}</li>`;
  const group = ({ pads, shown, any }) => html`
    <section class="counts-group" key=${pads.join(" ")} data-pads=${pads.join(" ")}>
      <h3 class="strong counts-pads">${padsName(words, pads)}</h3>
      ${any
        ? html`<p>${words.say("page counts-any")}</p>`
        : html`<ul class="cluster faces">${shown.map(face)}</ul>`}
    </section>
  `;
  drawInTab(page, "counts", element, ["counts"], () => {
    const groups = store.get("counts")?.groups ?? [];
    return html`
      <p class="soft">${words.say("page counts-title")}</p>
      ${groups.length === 0 ? html`<p class="soft">${words.say("page counts-none")}</p>` : groups.map(group)}
    `;
  });
  return element;
};

/** The tab with every team's rows, each card by name, for small screens and screen readers. */
export const makeOverview = (page) => {
  const { store, words, names, cards } = page;
  const element = el("div", { class: "stack gap-l" });

  const drawMark = (mark) => html`
    <span class="soft digits row-more">${mark.have}/${mark.need}</span>
    ${mark.secured && html`<span class="row-more row-secured">${words.say("page secured")}</span>`}
    <span class="visually-hidden">${markLabel(words, mark)}</span>
  `;
  const drawRow = (row, mark) => html`
    <li class="row" key=${row.place} data-place=${row.place}>
      <h4 class="small row-name">
        ${placeName(words, row.place)} ${drawToken(words, row)} ${mark && drawMark(mark)}
        ${!mark && row.cards.length > 0 && html`<span class="soft row-more">${cards.name(row.cards.at(-1))}</span>`}
      </h4>
      ${row.cards.length === 0
        ? html`<p class="soft small">${words.say("page row-empty")}</p>`
        : html`<ul class="cluster gap-xs row-cards">
            ${row.cards.map((card) => html`<li key=${card}>${cards.face(card, { size: "mini" })}</li>`)}
          </ul>`}
    </li>
  `;
  const drawTeam = (team) => html`
    <section class="overview-team">
      <h3 class="cluster baseline strong overview-name">
        ${team.seats.map((seat) => html`${badge(seat)}<span>${names.player(seat)}</span>`)}
        <span class="digits overview-score">${team.score} ${words.say(`unit ${team.unit}`)}</span>
        ${lineChip(words, team)}
      </h3>
      ${team.counts.length > 0 && html`<p class="tallies">${countChips(words, team)}</p>`}
      <ul>${team.rows.map((row) => drawRow(row, team.marks.find((mark) => mark.name === row.place)))}</ul>
    </section>
  `;
  drawInTab(page, "rows", element, ["teams", "names"], () => (store.get("teams") ?? []).map(drawTeam));
  return element;
};

const BREAK_OFF = "break-off";

/** Groups controls by name, in their order. */
const groupsOf = (controls) => {
  const groups = new Map();
  controls.forEach((each) => groups.set(each.control, [...(groups.get(each.control) ?? []), each]));
  return [...groups.values()];
};
const isAlone = (group) => group.length === 1 && group[0].choice === "";

/** The tab with a button for each open control, in a game that has controls of its own. */
export const makeActions = (page) => {
  const { store, words, names } = page;
  const element = el("div", { class: "stack gap-xs", data: { actions: "" } });

  const button = ({ control, fields, name, choice }) => html`
    <button class="tool" type="button" key=${JSON.stringify(fields)} data-control=${control}
      data-fields=${JSON.stringify(fields)} aria-label=${choice === "" ? null : `${name}: ${choice}`}
      onClick=${() => page.act({ do: "use-control", control, fields })}>
      ${choice || name}
    </button>
  `;
  const choices = (controls) => html`<div class="cluster">${controls.map(button)}</div>`;
  const drawGroup = (group) => html`
    <section class="stack gap-xs" key=${group[0].control}>
      <h3 class="soft small semibold">${group[0].name}</h3>
      ${choices(group)}
    </section>
  `;

  drawInTab(page, "actions", element, ["controls", "now", "seats", "names"], () => {
    const { title = "", more = "" } = store.get("now") ?? {};
    const open = (store.get("seats") ?? []).find(({ meaning }) => meaning === BREAK_OFF);
    const groups = groupsOf(store.get("controls") ?? []);
    const alone = groups.filter(isAlone).flat();
    return html`
      <p class="heading" role="status" data-actions-now>${title}</p>
      <p class="soft">${more}</p>
      ${open && html`<p class="remark off" data-break-off>${words.say("page actions-off", { who: names.seat(open.seat) })}</p>`}
      <div class="stack actions-groups">
        ${groups.length === 0 && html`<p class="soft">${words.say("page actions-none")}</p>`}
        ${alone.length > 0 && choices(alone)} ${groups.filter((group) => !isAlone(group)).map(drawGroup)}
      </div>
    `;
  });
  return element;
};

/**
 * The guide for beginners, in the game's own texts, and the list of keys. An extension adds keys by `keys.add(key,
 * wordKey)`; `key` is the label on the key, or a catalogue key.
 */
export const makeGuide = (page) => {
  const { store, words, cards, about } = page;
  const element = el("div", { class: "stack gap-l guide" });
  const keys = [
    ["Tab", "page key-tab"],
    ["← →", "page key-arrows"],
  ];

  /** Draws a text of one line as a paragraph, one of several lines as a list. */
  const drawText = (text) => {
    const lines = text.split("\n");
    return lines.length === 1 ? html`<p>${text}</p>` : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  };
  /**
   * Draws the guide's sections whose catalogue keys begin with `kind`, numbered from 1; `shown` lists the kinds of
   * cards drawn beside each.
   */
  const sectionsOf = (kind, shown) => {
    const sections = [];
    for (let n = 1; words.has(`guide ${kind}-${n}-title`); n += 1) {
      const faces = shown[n - 1] ?? [];
      sections.push(html`
        <section>
          <h3 class="strong">${words.say(`guide ${kind}-${n}-title`)}</h3>
          ${faces.length > 0 && html`<div class="cluster faces guide-cards">${faces.map((card) => cards.face(card))}</div>`}
          ${drawText(words.say(`guide ${kind}-${n}-text`, store.get("table")?.facts))}
        </section>
      `);
    }
    return sections;
  };
  const drawEdition = (edition) => html`
    <div data-edition=${edition}>
      <dt class="strong">${words.say(`page edition-${edition}`)}</dt>
      <dd>${words.say(`edition ${edition}`)}</dd>
    </div>
  `;
  const drawEditions = () => html`
    <section>
      <h3 class="strong">${words.say("page guide-editions")}</h3>
      <dl class="stack gap-s guide-editions">${about.editions.map(drawEdition)}</dl>
    </section>
  `;
  const titleWithCount = (kind, copies) => (copies > 1 ? `${copies} × ${kind.title}` : kind.title);
  const drawNeeded = (kind, copies) => html`
    <li data-needed=${kind.id}>
      <span class="strong">${titleWithCount(kind, copies)}</span>
      ${[kind.explanation, kind.effect].filter(Boolean).map((text) => html`<p>${text}</p>`)}
    </li>
  `;
  const drawSet = ({ id, name, needs }) => {
    const kinds = [...new Set(needs)].map((need) => cards.all().find((kind) => kind.id === need));
    const copiesOf = (kind) => needs.filter((need) => need === kind.id).length;
    return html`
      <details class="fold" data-fold="guide-set" data-set=${id}>
        <summary>
          <span><b>${name}:</b> ${kinds.map((kind) => titleWithCount(kind, copiesOf(kind))).join(", ")}</span>
        </summary>
        <ul>${kinds.map((kind) => drawNeeded(kind, copiesOf(kind)))}</ul>
      </details>
    `;
  };
  /** Draws which cards make each set, from the pack; false in a game without sets. */
  const drawSets = () => {
    const sets = cards.all().filter(({ needs }) => needs.length > 0);
    return (
      sets.length > 0 &&
      html`
        <section class="stack gap-s">
          <h3 class="strong">${words.say("page guide-sets")}</h3>
          ${sets.map(drawSet)}
        </section>
      `
    );
  };
  const drawKey = ([key, wordKey]) => html`
    <div class="key"><dt><kbd>${words.say(key)}</kbd></dt><dd>${words.say(wordKey)}</dd></div>
  `;
  drawOnChange(
    element,
    page,
    ["table", "pack"],
    () => html`
      <div class="stack gap-l">
        ${sectionsOf("guide", about.guide ?? [])} ${drawSets()}
        ${about.editions.length > 1 && drawEditions()}
        ${sectionsOf("table", [])}
      </div>
      <h3 class="strong">${words.say("page keys")}</h3>
      <dl>${keys.map(drawKey)}</dl>
    `,
  );
  return { element, keys: { add: (key, wordKey) => keys.push([key, wordKey]) } };
};
