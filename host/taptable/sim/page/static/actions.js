// The game's own control cards within a hand's reach: those that would begin something now, each to be tapped on the own
// pad. Knows what can be asked for from the table, and no rule.

import { draw, html } from "/static/html.js";

/** Would tapping this card begin one of the controls that are open? */
const begins = ({ control, fields }, open) =>
  open.some(
    (each) => each.control === control && Object.entries(fields).every(([name, value]) => each.fields[name] === value),
  );

/** Draw the action cards of a seat in `root`. */
export const drawActions = (root, { words, store, about }, deeds, seat) => {
  const open = store.get("turn")?.seat === seat ? (store.get("controls") ?? []) : [];
  const cards = about.extension.control_cards.filter((card) => begins(card, open));
  root.setAttribute("aria-label", words.say("page hand-actions"));
  root.hidden = cards.length === 0;
  draw(
    root,
    cards.map(
      ({ card }) => html`
        <button class="deed action-card" type="button" key=${card} data-action-card=${card}
          onClick=${() => deeds.control(seat, card)}>
          ${words.say(`control ${card}`)}
        </button>
      `,
    ),
  );
};
