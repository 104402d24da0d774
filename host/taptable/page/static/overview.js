// Every team's rows at length: each card with its name, for small screens and for who reads instead of looks. It must
// not know the table's picture.

import { el } from "./elements.js";
import { html } from "./html.js";
import { badge } from "./names.js";
import { countChips, lineChip, markLabel, placeName, tokenOf } from "./rows.js";
import { keepInTab } from "./tabs.js";

/** The overview in a panel. */
export const makeOverview = (page) => {
  const { store, words, names, cards } = page;
  const element = el("div", { class: "stack gap-l" });

  const drawMark = (mark) => html`
    <span class="soft digits row-more">${mark.have}/${mark.need}</span>
    ${mark.secured && html`<span class="row-more row-secured">${words.say("page secured")}</span>`}
    <span class="unseen">${markLabel(words, mark)}</span>
  `;
  const drawRow = (row, mark) => html`
    <li class="row" key=${row.place} data-place=${row.place}>
      <h4 class="small row-name">
        ${placeName(words, row.place)} ${tokenOf(words, row)} ${mark && drawMark(mark)}
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
  keepInTab(page, "rows", element, ["teams", "names"], () => (store.get("teams") ?? []).map(drawTeam));
  return element;
};
