// The wire: every sentence between the Pi and the seat boards, as it passes. It knows a sentence's form (number, verb,
// fields), and only the two verbs that pass all the time.

import { draw as drawInto, drawOnChange, el, html, pick, toggle } from "/static/html.js";
import { readStored, writeStored } from "/static/storage.js";

const PINGS = ["ping", "pong"];
const PINGS_STORAGE_KEY = "taptable-wire-pings";
/** For pings and for all others separately, so that neither pushes the others out. */
const MAX_KEPT = 400;
const MAX_SHOWN = 150;
const US_PER_MS = 1000;
const NEAR_PX = 24;

/** Returns a sentence's verb; "" for a line that is no sentence. */
const verbOf = (text) => /^(?:#\d+ )?([a-z]+\??)/.exec(text)?.[1] ?? "";

/** Whether a sentence asks a board for the time or answers that. Damaged lines are no pings. */
const isPing = (item) => !item.damaged && PINGS.includes(verbOf(item.text));

const trimmed = (items) => {
  const pings = items.filter(isPing).slice(-MAX_KEPT);
  const others = items.filter((item) => !isPing(item)).slice(-MAX_KEPT);
  return [...pings, ...others].sort((one, other) => one.key - other.key);
};

const formatTime = (at_us) => {
  const ms = Math.floor(at_us / US_PER_MS);
  const twoDigits = (value) => String(value).padStart(2, "0");
  return `${twoDigits(Math.floor(ms / 60000))}:${twoDigits(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, "0")}`;
};

/** Makes the wire, which is subscribed to only while it is visible. */
export const makeWire = (page) => {
  const { live, store, words } = page;
  const { say } = words;
  const head = el("div", { class: "wire-head" });
  const list = el("ol", { class: "wire-list", tabindex: 0, data: { wire: "", wordLabel: "page wire" } });
  const empty = el("p", { class: "soft small", "data-word": "page wire-empty" });
  const hidden = el("p", { class: "soft small", data: { wireHidden: "" } });
  const element = el("section", { class: "stack gap-xs wire" }, head, empty, list, hidden);
  let sentences = [];
  /** The items shown while the wire is paused; else null. */
  let pausedItems = null;
  let count = 0;
  const filters = { seat: "", way: "", verb: "" };
  const verbs = new Set();
  let hidesPings = readStored(PINGS_STORAGE_KEY) !== "shown";

  const matchesFilters = (item) =>
    (filters.seat === "" || item.seat === Number(filters.seat)) &&
    (filters.way === "" || item.way === filters.way) &&
    (filters.verb === "" || verbOf(item.text) === filters.verb);
  /** Choosing the verb of pings shows them. */
  const isHidden = (item) => hidesPings && isPing(item) && !PINGS.includes(filters.verb);

  const line = (item) => html`
    <li class="wire-line" key=${item.key} data-way=${item.way} data-damaged=${item.damaged}>
      <span class="wire-time">${formatTime(item.at_us)}</span>
      <span class="wire-ways">${item.way === "to-pi" ? `${item.seat} →` : `→ ${item.seat}`}</span>
      <code class="wire-text">${item.text}</code>
      ${item.damaged && html`<span class="wire-damaged">✕ ${say("page wire-damaged")}</span>`}
    </li>
  `;
  const drawLines = () => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    const matching = (pausedItems ?? sentences).filter(matchesFilters);
    const shown = matching.filter((item) => !isHidden(item)).slice(-MAX_SHOWN);
    drawInto(list, shown.map(line));
    empty.hidden = sentences.length > 0;
    const count = matching.filter(isHidden).length;
    // older pings were dropped, so there were more
    const more = (pausedItems ?? sentences).filter(isPing).length === MAX_KEPT ? "+" : "";
    hidden.textContent = count > 0 ? say("page wire-hidden", { count: `${count}${more}` }) : "";
    if (isAtEnd) {
      list.scrollTop = list.scrollHeight;
    }
  };

  const pickOne = (name, options) => {
    const change = (value) => {
      filters[name] = value;
      drawHead();
      drawLines();
    };
    const attributes = { class: "wire-pick", "aria-label": say(`page wire-${name}`), [`data-wire-${name}`]: "" };
    return pick(filters[name], options, change, attributes);
  };
  const togglePause = () => {
    pausedItems = pausedItems === null ? sentences : null;
    drawHead();
    drawLines();
  };
  const setHidesPings = (on) => {
    hidesPings = on;
    writeStored(PINGS_STORAGE_KEY, hidesPings ? "hidden" : "shown");
    drawLines();
  };
  const drawHead = drawOnChange(head, page, ["demo"], () => {
    const seats = Array.from({ length: store.get("demo")?.players ?? 0 }, (_, index) => index + 1);
    const ways = ["to-pi", "to-board"].map((way) => [way, say(`page wire-${way}`)]);
    return html`
      <h3 class="bench-title">${say("page wire")}</h3>
      ${toggle(say("page wire-no-pings"), hidesPings, setHidesPings, { "data-wire-pings": "" })}
      ${pickOne("seat", [["", say("page wire-all-seats")], ...seats.map((seat) => [seat, say("page seat", { seat })])])}
      ${pickOne("way", [["", say("page wire-both-ways")], ...ways])}
      ${pickOne("verb", [["", say("page wire-all-verbs")], ...[...verbs].sort().map((verb) => [verb, verb])])}
      <button class="wire-pause" type="button" data-do="pause-wire" aria-pressed=${pausedItems !== null} onClick=${togglePause}>
        ${say(pausedItems === null ? "page wire-pause" : "page wire-go-on")}
      </button>
    `;
  });
  store.onItems("wire", (items, { whole }) => {
    const newItems = items.map((item) => ({ ...item, key: (count += 1) }));
    sentences = trimmed(whole ? newItems : [...sentences, ...newItems]);
    const before = verbs.size;
    items.map((item) => verbOf(item.text)).forEach((verb) => verb && verbs.add(verb));
    if (verbs.size > before) {
      drawHead();
    }
    drawLines();
  });

  let isVisible = false;
  const updateWatch = () => live.watch("wire", isVisible && !document.hidden);
  new IntersectionObserver(([entry]) => {
    isVisible = entry.isIntersecting;
    updateWatch();
  }).observe(element);
  document.addEventListener("visibilitychange", updateWatch);
  return element;
};
