// What the table has said, the newest at the end: each kind with a sign of its own. It must not know what a sentence
// means.

import { kindOf } from "./cards.js";
import { el } from "./elements.js";
import { html, toElement } from "./html.js";
import { badge } from "./names.js";
import { sign } from "./signs.js";

const KEPT = 200;
const NEAR_PX = 24;
const SIGN = { announced: "turn", refused: "no", ignored: "nothing", fault: "bolt", notice: "bell" };
const MOOD_SIGN = { claim: "star", "turned-tables": "swap", end: "laurel" };

/** The log in an `<ol>`; old sentences fall away. */
export const makeLog = ({ store, words, cards }) => {
  const list = el("ol", { class: "log", data: { log: "" }, "data-word-label": "page log" });
  const empty = el("p", { class: "soft", "data-word": "page log-empty" });
  const element = el("div", { class: "log-panel" }, empty, list);
  let following = true;
  let panel = null;

  const toTheEnd = () => {
    if (following && panel !== null) {
      panel.scrollTop = panel.scrollHeight;
    }
  };
  /** Follow what is said from the first time on that the list is in a panel; who scrolls back isn't pulled to the end. */
  const follow = () => {
    if (panel !== null || element.parentElement === null) {
      return;
    }
    panel = element.parentElement;
    let size = "";
    panel.addEventListener("scroll", () => {
      const isNear = panel.scrollHeight - panel.scrollTop - panel.clientHeight < NEAR_PX;
      const now = `${panel.scrollHeight} ${panel.clientHeight}`;
      // where a panel of another size stands is nobody's choice
      if (isNear || now === size) {
        following = isNear;
      }
      size = now;
    });
    const observer = new ResizeObserver(toTheEnd);
    observer.observe(panel);
    observer.observe(element);
  };

  const item = (said) => {
    const named = said.card !== null && said.card !== undefined && said.kind === "announced" && !said.mood;
    const known = named && cards.hasSign(said.card);
    const mark = known ? cards.sign(said.card) : sign(MOOD_SIGN[said.mood] ?? SIGN[said.kind]);
    return toElement(html`
      <li class="said-line" data-n=${said.n} data-kind=${said.kind} data-type=${said.type} data-mood=${said.mood} data-code=${said.code}>
        <span class="log-sign" data-of=${known ? kindOf(said.card) : null}>${mark}</span>
        ${said.kind === "notice" && html`<span class="unseen">${words.say("page notice")}: </span>`}
        <span class="grow anywhere">
          ${said.kind === "announced" && said.seat && html`${badge(said.seat)} `}${said.text}${said.explained && html`<span class="said-more" data-explained>${said.explained}</span>`}
        </span>
      </li>
    `);
  };

  store.onItems("log", (items, { whole, emptied }) => {
    follow();
    const shown = items.slice(-KEPT).map(item);
    if (whole) {
      list.replaceChildren(...shown);
    } else {
      list.append(...shown);
      while (list.childElementCount > KEPT || Number(list.firstElementChild?.dataset.n ?? emptied) < emptied) {
        list.firstElementChild.remove();
      }
    }
    empty.hidden = list.childElementCount > 0;
    following ||= whole;
    toTheEnd();
  });
  return element;
};
