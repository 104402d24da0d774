// The game's own control cards within a hand's reach: those that would begin something now, each to be tapped on the own
// pad. Knows what can be asked for from the table, and no rule.

import { draw, html } from "/static/html.js";

/** Would tapping this card begin one of the controls that are open? */
const begins = ({ control, fields }, open) =>
  open.some(
    (each) => each.control === control && Object.entries(fields).every(([name, value]) => each.fields[name] === value),
  );

/** Draw the control cards of a seat in `root`. */
export const drawControlCards = (root, { words, store, about }, actions, seat) => {
  const open = store.get("turn")?.seat === seat ? (store.get("controls") ?? []) : [];
  const cards = about.extension.control_cards.filter((card) => begins(card, open));
  root.setAttribute("aria-label", words.say("page hand-actions"));
  root.hidden = cards.length === 0;
  draw(
    root,
    cards.map(
      ({ card }) => html`
        <button class="action control-card" type="button" key=${card} data-control-card=${card}
          onClick=${() => actions.control(seat, card)}>
          ${words.say(`control ${card}`)}
        </button>
      `,
    ),
  );
};
