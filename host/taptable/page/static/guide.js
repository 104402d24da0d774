// How to play, for who never saw the game, and the keys. The words are the game's; it must not know what they say.

import { el } from "./elements.js";
import { html, keep } from "./html.js";

/** The guide; an extension adds its own keys by `keys.add(key, wordKey)`, a name as printed on it, or a key of the words. */
export const makeGuide = (page) => {
  const { store, words, cards, about } = page;
  const element = el("div", { class: "stack gap-l guide" });
  const keys = [
    ["Tab", "page key-tab"],
    ["← →", "page key-arrows"],
  ];

  /** A text of one line is a paragraph, one of several a list. */
  const drawText = (text) => {
    const lines = text.split("\n");
    return lines.length === 1 ? html`<p>${text}</p>` : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  };
  /** The sections whose keys begin like `kind`, numbered from 1; `shown` are the kinds of cards beside each. */
  const sectionsOf = (kind, shown) => {
    const made = [];
    for (let n = 1; words.has(`guide ${kind}-${n}-title`); n += 1) {
      const faces = shown[n - 1] ?? [];
      made.push(html`
        <section>
          <h3 class="strong">${words.say(`guide ${kind}-${n}-title`)}</h3>
          ${faces.length > 0 && html`<div class="cluster faces guide-cards">${faces.map((card) => cards.face(card))}</div>`}
          ${drawText(words.say(`guide ${kind}-${n}-text`, store.get("table")?.facts))}
        </section>
      `);
    }
    return made;
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
  const titled = (kind, copies) => (copies > 1 ? `${copies} × ${kind.title}` : kind.title);
  const drawNeeded = (kind, copies) => html`
    <li data-needed=${kind.id}>
      <span class="strong">${titled(kind, copies)}</span>
      ${[kind.explanation, kind.effect].filter(Boolean).map((said) => html`<p>${said}</p>`)}
    </li>
  `;
  const drawSet = ({ id, name, needs }) => {
    const kinds = [...new Set(needs)].map((need) => cards.all().find((kind) => kind.id === need));
    const copiesOf = (kind) => needs.filter((need) => need === kind.id).length;
    return html`
      <details class="fold" data-fold="guide-set" data-set=${id}>
        <summary>
          <span><b>${name}:</b> ${kinds.map((kind) => titled(kind, copiesOf(kind))).join(", ")}</span>
        </summary>
        <ul>${kinds.map((kind) => drawNeeded(kind, copiesOf(kind)))}</ul>
      </details>
    `;
  };
  /** Which cards make each set, by the pack; nothing in a game without sets. */
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
  keep(
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
