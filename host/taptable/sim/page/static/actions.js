// The game's own control cards within a hand's reach: those that would begin something now, each to be tapped on the own
// pad. Knows what can be asked for from the table, and no rule.

import { arrange, make, say, set } from "./dom.js";

/** Would tapping this card begin one of the controls that are open? */
const begins = ({ control, fields }, open) =>
  open.some(
    (each) => each.control === control && Object.entries(fields).every(([name, value]) => each.fields[name] === value),
  );

/**
 * A seat's action cards.
 * @param {any} page
 * @param {{control: (seat: number, card: string) => void}} deeds
 * @param {number} seat
 */
export const makeActions = ({ words, store, about }, deeds, seat) => {
  const element = make("div", { class: "own-actions", role: "group", hidden: "" });
  element.addEventListener("click", (event) => {
    const card = event.target.closest("button")?.dataset.actionCard;
    if (card !== undefined) {
      deeds.control(seat, card);
    }
  });
  const buttonFor = (card) =>
    element.querySelector(`[data-action-card="${card}"]`) ??
    make("button", { class: "deed action-card", data: { actionCard: card } });

  return {
    element,
    draw() {
      const mine = store.get("turn")?.seat === seat;
      const open = mine ? (store.get("controls") ?? []) : [];
      const cards = about.annex.control_cards.filter((card) => begins(card, open));
      set(element, "aria-label", words.say("page hand-actions"));
      element.hidden = cards.length === 0;
      arrange(
        element,
        cards.map(({ card }) => {
          const button = buttonFor(card);
          say(button, words.say(`control ${card}`));
          return button;
        }),
      );
    },
  };
};
