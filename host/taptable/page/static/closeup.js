// The card under the pointer, the finger or the focus, shown large with its name, what it stands for and what it does. It
// must not know where cards lie, nor what a tap on one does.

import { el } from "./elements.js";
import { draw, html } from "./html.js";

const LINGER_MS = 600;
const STILL_PX = 8;
const APART_PX = 8;
const ID = "closeup";
const CARD = "[data-card]";

/** Let every card of the page be looked at from near, for as long as somebody stays on it. */
export const makeCloseup = ({ cards }) => {
  const root = el("div", { class: "closeup", id: ID, role: "tooltip", data: { closeup: "" }, hidden: true });
  document.body.append(root);
  let at = null;
  let pressed = null;
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    at?.removeAttribute("aria-describedby");
    at = null;
    root.hidden = true;
    gone.disconnect();
  };
  /** A card may be laid, and drawn anew elsewhere, under a pointer that rests. */
  const gone = new MutationObserver(() => at?.isConnected || hide());

  const place = () => {
    const card = at.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = root;
    const beside = card.left + (card.width - width) / 2;
    const over = card.top - APART_PX - height;
    const top = over >= APART_PX ? over : card.bottom + APART_PX;
    const within = (wanted, most) => `${Math.max(APART_PX, Math.min(wanted, most - APART_PX))}px`;
    root.style.left = within(beside, innerWidth - width);
    root.style.top = within(top, innerHeight - height);
  };
  const show = (element) => {
    const card = element.dataset.card;
    at = element;
    const { title, explanation, effect } = cards.lesson(card);
    draw(root, html`
      ${cards.face(card, { size: "large", hook: null })}
      <div class="stack gap-xs closeup-words">
        <p class="strong">${title}</p>
        ${explanation && html`<p>${explanation}</p>`}
        ${effect && html`<p class="soft">${effect}</p>`}
      </div>
    `);
    root.hidden = false;
    place();
    at.setAttribute("aria-describedby", ID);
    gone.observe(document.body, { childList: true, subtree: true });
  };
  /** Show the card of an event's target if it is still there after a while. */
  const wait = (event) => {
    const element = event.target.closest?.(CARD);
    if (element === at && at !== null) {
      return;
    }
    hide();
    if (element) {
      timer = setTimeout(() => show(element), LINGER_MS);
    }
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && event.buttons === 0) {
      wait(event);
    }
  });
  document.addEventListener("pointerdown", (event) => {
    hide();
    if (event.pointerType === "touch") {
      pressed = event;
      wait(event);
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (pressed !== null && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > STILL_PX) {
      pressed = null;
      hide();
    }
  });
  ["pointerup", "pointercancel"].forEach((name) =>
    document.addEventListener(name, (event) => {
      if (event.pointerType === "touch") {
        pressed = null;
        hide();
      }
    }),
  );
  document.addEventListener("focusin", (event) => event.target.matches?.(":focus-visible") && wait(event));
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  ["resize", "hashchange"].forEach((name) => addEventListener(name, hide));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("contextmenu", (event) => event.target.closest?.(CARD) && event.preventDefault());
};
