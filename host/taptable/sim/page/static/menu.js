// The small menu of a hand: control cards, sitting down elsewhere, getting up. Knows what can be asked for, not what
// comes of it.

import { arrange, make, say, set } from "./dom.js";

/** The control cards and the letter of each, as in the terminal. */
export const CONTROLS = { "take-back": "t", pause: "p", reshuffle: "r", check: "c", "new-game": "n" };

/**
 * A seat's menu.
 * @param {{words: any, store: any}} page
 * @param {{control: (seat: number, control: string) => void, sit: (seat: number) => void,
 *   stand: (seat: number) => void}} deeds
 * @param {number} seat
 */
export const makeMenu = ({ words, store }, deeds, seat) => {
  const controls = Object.entries(CONTROLS).map(([control, key]) =>
    make(
      "button",
      { class: "menu-item", data: { control } },
      make("span", { class: "menu-name", word: `control ${control}` }),
      make("kbd", { class: "menu-key", text: key, "aria-hidden": "true" }),
    ),
  );
  const seats = make("div", { class: "menu-seats" });
  const stand = make("button", { class: "menu-item", data: { do: "stand" }, word: "page seat-stand" });
  const list = make(
    "div",
    { class: "menu-list" },
    make("p", { class: "menu-title", word: "page menu-controls" }),
    ...controls,
    make("p", { class: "menu-title", word: "page menu-seats" }),
    seats,
    stand,
  );
  const summary = make("summary", { class: "menu-open" }, make("span", { word: "page menu" }));
  const element = make("details", { class: "menu", data: { menu: seat } }, summary, list);

  const close = () => {
    element.open = false;
  };
  element.addEventListener("click", (event) => {
    const item = event.target.closest("button");
    if (item === null) {
      return;
    }
    if (item.dataset.control) {
      deeds.control(seat, item.dataset.control);
    } else if (item.dataset.do === "sit") {
      deeds.sit(Number(item.dataset.at));
    } else {
      deeds.stand(seat);
    }
    close();
    summary.focus();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && element.open) {
      event.stopPropagation();
      close();
      summary.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => !element.contains(event.target) && close());

  return {
    element,
    draw() {
      const { players = 0, people = [] } = store.get("demo") ?? {};
      arrange(seats, seatsToTake(players, people, seats, words));
      set(seats, "hidden", people.length < players ? null : "");
    },
  };
};

/**
 * A button for each seat at which nobody sits, those that are in `among` already as they are.
 * @param {number} players
 * @param {number[]} people
 * @param {Element} among
 * @param {any} words
 * @param {{short?: boolean}} [how] short: only the seat's name is to be seen
 */
export const seatsToTake = (players, people, among, words, { short = false } = {}) =>
  Array.from({ length: players }, (_, index) => index + 1)
    .filter((seat) => !people.includes(seat))
    .map((seat) => {
      const button =
        among.querySelector(`[data-at="${seat}"]`) ?? make("button", { class: "sit", data: { do: "sit", at: seat } });
      const name = words.say("page seat-sit", { seat });
      const called = words.say("page seat", { seat });
      say(button, short ? called : name);
      set(button, "aria-label", short ? `${called}: ${name}` : null);
      return button;
    });
