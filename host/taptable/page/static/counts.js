// For learners: which cards would count now, and on which pads, in words and faces. It says what the table knows, and the
// table knows no hand. It must not know the rules behind it.

import { el } from "./elements.js";
import { html } from "./html.js";
import { seatsName } from "./rows.js";
import { keepInTab } from "./tabs.js";

/** A pad that is no seat's, by its name. */
const padName = (words, pad) => words.say(words.has(`page pad-${pad}`) ? `page pad-${pad}` : `pad ${pad}`);

const padsName = (words, pads) => {
  const seats = pads.filter((pad) => typeof pad === "number");
  const others = pads.filter((pad) => typeof pad !== "number");
  const named = seats.length === 0 ? [] : [seatsName(words, seats)];
  return [...named, ...others.map((pad) => padName(words, pad))].join(", ");
};

/** The pads that the sentence of a part `counts` is about. */
export const padsThatCount = (counts) => (counts?.sentence ? counts.groups.flatMap(({ pads }) => pads) : []);

/** The list of what counts. */
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
  keepInTab(page, "counts", element, ["counts"], () => {
    const told = store.get("counts")?.groups ?? [];
    return html`
      <p class="soft">${words.say("page counts-title")}</p>
      ${told.length === 0 ? html`<p class="soft">${words.say("page counts-none")}</p>` : told.map(group)}
    `;
  });
  return element;
};
