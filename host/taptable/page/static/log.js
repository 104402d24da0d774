// What the table has said: the log, each kind of sentence with a sign of its own, and what a screen reader reads out by
// itself while the table is shown. It must not know what a sentence means.

import { kindOf } from "./cards.js";
import { el, html, sign, toElement } from "./html.js";
import { badge } from "./names.js";

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

const MOST_AT_ONCE = 3;

/** The sentences to be read out of new items: `{now, later}`, each "" if there is nothing. */
const toBeRead = (items) => {
  const heard = items.filter((item) => item.spoken !== "");
  const newest = (items) => items.slice(-MOST_AT_ONCE);
  const said = (wanted) => newest(heard.filter(wanted)).map((item) => item.spoken).join(" ");
  return { now: said((item) => item.urgent), later: said((item) => !item.urgent) };
};

/** Put what is read out into `place`; nobody sees it. */
export const makeHearing = (place, { store }) => {
  const now = el("p", { class: "unseen", role: "alert", data: { hearing: "now" } });
  const later = el("p", { class: "unseen", role: "status", data: { hearing: "later" } });
  place.append(now, later);
  // a sentence stands until the next: what is taken away at once may not have been read yet
  const read = (region, sentence) => {
    if (sentence !== "") {
      region.textContent = sentence;
    }
  };
  // what stood there when the page came, or the table came back, is no news; nor is what comes again
  let boot = null;
  let next = 0;
  const isNews = ({ n }) => store.known().boot === boot && n >= next;
  store.onItems("log", (items) => {
    const heard = toBeRead(items.filter(isNews));
    read(now, heard.now);
    read(later, heard.later);
    next = Math.max(next, (items[items.length - 1]?.n ?? -1) + 1);
  });
  store.onSettled(() => {
    const known = store.known();
    if (known.boot !== boot) {
      boot = known.boot;
      next = known.next.log ?? 0;
    }
  });
};
