// Draws the log of the table's sentences, with an icon for each kind, and announces new ones to screen readers. It must
// not know what a sentence means.

import { kindOf } from "./cards.js";
import { el, html, icon, toElement } from "./html.js";
import { badge } from "./names.js";

const MAX_LINES = 200; // lines that are shown; page.py keeps as many sentences (LOG_LENGTH)
const NEAR_PX = 24;
const ICON = { announced: "turn", refused: "no", ignored: "nothing", fault: "bolt", notice: "bell" };
const MOOD_ICON = { claim: "star", "turned-tables": "swap", end: "laurel" };

/** Makes the log as an `<ol>`. The oldest sentences are removed. */
export const makeLog = ({ store, words, cards }) => {
  const list = el("ol", { class: "log", data: { log: "" }, "data-word-label": "page log" });
  const empty = el("p", { class: "soft", "data-word": "page log-empty" });
  const element = el("div", { class: "log-panel" }, empty, list);
  let isFollowing = true;
  let panel = null;

  const scrollToEnd = () => {
    if (isFollowing && panel !== null) {
      panel.scrollTop = panel.scrollHeight;
    }
  };
  /** Scrolls to each new sentence once the list is in a panel, unless the person has scrolled back. */
  const watchScrolling = () => {
    if (panel !== null || element.parentElement === null) {
      return;
    }
    panel = element.parentElement;
    let size = "";
    panel.addEventListener("scroll", () => {
      const isNear = panel.scrollHeight - panel.scrollTop - panel.clientHeight < NEAR_PX;
      const now = `${panel.scrollHeight} ${panel.clientHeight}`;
      // a position that changed with the panel's size wasn't chosen by the person
      if (isNear || now === size) {
        isFollowing = isNear;
      }
      size = now;
    });
    const observer = new ResizeObserver(scrollToEnd);
    observer.observe(panel);
    observer.observe(element);
  };

  const drawItem = (entry) => {
    const showsCard = entry.card !== null && entry.card !== undefined && entry.kind === "announced" && !entry.mood;
    const hasOwnIcon = showsCard && cards.hasIcon(entry.card);
    const mark = hasOwnIcon ? cards.icon(entry.card) : icon(MOOD_ICON[entry.mood] ?? ICON[entry.kind]);
    return toElement(html`
      <li class="log-line" data-n=${entry.n} data-kind=${entry.kind} data-type=${entry.type} data-mood=${entry.mood} data-code=${entry.code}>
        <span class="log-icon" data-of=${hasOwnIcon ? kindOf(entry.card) : null}>${mark}</span>
        ${entry.kind === "notice" && html`<span class="visually-hidden">${words.say("page notice")}: </span>`}
        <span class="grow anywhere">
          ${entry.kind === "announced" && entry.seat && html`${badge(entry.seat)} `}${entry.text}${entry.explained && html`<span class="log-explained" data-explained>${entry.explained}</span>`}
        </span>
      </li>
    `);
  };

  store.onItems("log", (items, { whole, emptied }) => {
    watchScrolling();
    const shown = items.slice(-MAX_LINES).map(drawItem);
    if (whole) {
      list.replaceChildren(...shown);
    } else {
      list.append(...shown);
      while (list.childElementCount > MAX_LINES || Number(list.firstElementChild?.dataset.n ?? emptied) < emptied) {
        list.firstElementChild.remove();
      }
    }
    empty.hidden = list.childElementCount > 0;
    isFollowing ||= whole;
    scrollToEnd();
  });
  return element;
};

const MAX_AT_ONCE = 3;

/** Returns the sentences to announce for new items: `{now, later}`, each "" if there is none. */
const sentencesToRead = (items) => {
  const spoken = items.filter((item) => item.spoken !== "");
  const newest = (items) => items.slice(-MAX_AT_ONCE);
  const join = (isIncluded) => newest(spoken.filter(isIncluded)).map((item) => item.spoken).join(" ");
  return { now: join((item) => item.urgent), later: join((item) => !item.urgent) };
};

/** Fills the ARIA live regions in `place`, which are visually hidden. */
export const makeAnnouncer = (place, { store }) => {
  const now = el("p", { class: "visually-hidden", role: "alert", data: { announcer: "now" } });
  const later = el("p", { class: "visually-hidden", role: "status", data: { announcer: "later" } });
  place.append(now, later);
  // A sentence stays until the next one: if it were removed at once, it might not be read.
  const announce = (region, sentence) => {
    if (sentence !== "") {
      region.textContent = sentence;
    }
  };
  // Items from before the page loaded or the table came back aren't announced, nor are repeated items.
  let boot = null;
  let next = 0;
  const isNew = ({ n }) => store.cursor().boot === boot && n >= next;
  store.onItems("log", (items) => {
    const spoken = sentencesToRead(items.filter(isNew));
    announce(now, spoken.now);
    announce(later, spoken.later);
    next = Math.max(next, (items[items.length - 1]?.n ?? -1) + 1);
  });
  store.onDrawn(() => {
    const cursor = store.cursor();
    if (cursor.boot !== boot) {
      boot = cursor.boot;
      next = cursor.next.log ?? 0;
    }
  });
};
