// The menu of a hand: control cards, changing seats, getting up. It must not know the effect of an action.

import { html } from "/static/html.js";

/** The control cards with their keys. */
export const CONTROLS = { "take-back": "t", pause: "p", reshuffle: "r", check: "c", "new-game": "n" };

/** Makes a seat's menu, as a view. */
export const makeMenu = ({ words, store }, actions, seat) => {
  const { say } = words;
  const menuElement = () => document.querySelector(`[data-menu="${seat}"]`);
  const close = () => {
    menuElement().open = false;
    menuElement().querySelector("summary").focus();
  };
  const thenClose = (action) => () => {
    action();
    close();
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape" && menuElement().open) {
      event.stopPropagation();
      close();
    }
  };
  document.addEventListener("pointerdown", ({ target }) => {
    const menu = menuElement();
    if (menu && !menu.contains(target)) {
      menu.open = false;
    }
  });

  const control = ([name, key]) => html`
    <button class="menu-item" type="button" data-control=${name} onClick=${thenClose(() => actions.control(seat, name))}>
      <span>${say(`control ${name}`)}</span><kbd aria-hidden="true">${key}</kbd>
    </button>
  `;
  return () => {
    const { players = 0, people = [] } = store.get("demo") ?? {};
    return html`
      <details class="menu" data-fold="menu" data-menu=${seat} onKeyDown=${closeOnEscape}>
        <summary class="menu-open"><span>${say("page menu")}</span></summary>
        <div class="box menu-list">
          <p class="menu-title">${say("page menu-controls")}</p>
          ${Object.entries(CONTROLS).map(control)}
          <p class="menu-title">${say("page menu-seats")}</p>
          <div class="menu-seats" hidden=${people.length >= players}>
            ${drawFreeSeats(players, people, words, (other) => thenClose(() => actions.sit(other))())}
          </div>
          <button class="menu-item" type="button" data-do="stand" onClick=${thenClose(() => actions.stand(seat))}>
            ${say("page seat-stand")}
          </button>
        </div>
      </details>
    `;
  };
};

/** Draws a button for each free seat; `sit(seat)` takes it. With `short`, only the seat's name is visible. */
export const drawFreeSeats = (players, people, words, sit, { short = false } = {}) =>
  Array.from({ length: players }, (_, index) => index + 1)
    .filter((seat) => !people.includes(seat))
    .map((seat) => {
      const name = words.say("page seat-sit", { seat });
      const seatName = words.say("page seat", { seat });
      return html`
        <button class="sit" type="button" key=${seat} data-do="sit" data-at=${seat} onClick=${() => sit(seat)}
          aria-label=${short ? `${seatName}: ${name}` : null}>
          ${short ? seatName : name}
        </button>
      `;
    });
