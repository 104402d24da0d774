// The live wire: every sentence between the Pi and the seat boards, as it passes. Knows the shape of a sentence
// (number, verb, fields), and of the verbs only which two pass all the time, whatever happens.

import { draw as drawInto, el, html, keep, pick, toggle } from "/static/html.js";
import { keepAs, kept as keptBefore } from "/static/storage.js";

const PINGS = ["ping", "pong"];
const PINGS_KEPT_AS = "taptable-wire-pings";
/** Of pings and of all others each, so that neither pushes the others out. */
const KEPT = 400;
const SHOWN = 150;
const US_PER_MS = 1000;
const NEAR_PX = 24;

/** The verb of a sentence; a line that is none has none. */
const verbOf = (text) => /^(?:#\d+ )?([a-z]+\??)/.exec(text)?.[1] ?? "";

/** Asks a board for the time, or answers that; a damaged line is no ping. */
const isPing = (item) => !item.damaged && PINGS.includes(verbOf(item.text));

const lastOf = (items) => {
  const pings = items.filter(isPing).slice(-KEPT);
  const others = items.filter((item) => !isPing(item)).slice(-KEPT);
  return [...pings, ...others].sort((one, other) => one.key - other.key);
};

const time = (at_us) => {
  const ms = Math.floor(at_us / US_PER_MS);
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(ms / 60000))}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, "0")}`;
};

/** The wire, watched for as long as it can be seen. */
export const makeWire = (page) => {
  const { live, store, words } = page;
  const { say } = words;
  const head = el("div", { class: "wire-head" });
  const list = el("ol", { class: "wire-list", tabindex: 0, data: { wire: "", wordLabel: "page wire" } });
  const empty = el("p", { class: "soft small", "data-word": "page wire-empty" });
  const hidden = el("p", { class: "soft small", data: { wireHidden: "" } });
  const element = el("section", { class: "stack gap-xs wire" }, head, empty, list, hidden);
  let kept = [];
  /** Those that are shown while it is held. */
  let held = null;
  let count = 0;
  const picked = { seat: "", way: "", verb: "" };
  const verbs = new Set();
  let hidesPings = keptBefore(PINGS_KEPT_AS) !== "shown";

  const isPicked = (item) =>
    (picked.seat === "" || item.seat === Number(picked.seat)) &&
    (picked.way === "" || item.way === picked.way) &&
    (picked.verb === "" || verbOf(item.text) === picked.verb);
  /** Who picks their verb wants to see them. */
  const isHidden = (item) => hidesPings && isPing(item) && !PINGS.includes(picked.verb);

  const line = (item) => html`
    <li class="wire-line" key=${item.key} data-way=${item.way} data-damaged=${item.damaged}>
      <span class="wire-time">${time(item.at_us)}</span>
      <span class="wire-ways">${item.way === "to-pi" ? `${item.seat} →` : `→ ${item.seat}`}</span>
      <code class="wire-text">${item.text}</code>
      ${item.damaged && html`<span class="wire-damaged">✕ ${say("page wire-damaged")}</span>`}
    </li>
  `;
  const drawLines = () => {
    const low = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    const wanted = (held ?? kept).filter(isPicked);
    const shown = wanted.filter((item) => !isHidden(item)).slice(-SHOWN);
    drawInto(list, shown.map(line));
    empty.hidden = kept.length > 0;
    const count = wanted.filter(isHidden).length;
    // where older ones were dropped it was more
    const more = (held ?? kept).filter(isPing).length === KEPT ? "+" : "";
    hidden.textContent = count > 0 ? say("page wire-hidden", { count: `${count}${more}` }) : "";
    if (low) {
      list.scrollTop = list.scrollHeight;
    }
  };

  const pickOne = (name, options) => {
    const change = (value) => {
      picked[name] = value;
      drawHead();
      drawLines();
    };
    const of = { class: "wire-pick", "aria-label": say(`page wire-${name}`), [`data-wire-${name}`]: "" };
    return pick(picked[name], options, change, of);
  };
  const hold = () => {
    held = held === null ? kept : null;
    drawHead();
    drawLines();
  };
  const hide = (on) => {
    hidesPings = on;
    keepAs(PINGS_KEPT_AS, hidesPings ? "hidden" : "shown");
    drawLines();
  };
  const drawHead = keep(head, page, ["demo"], () => {
    const seats = Array.from({ length: store.get("demo")?.players ?? 0 }, (_, index) => index + 1);
    const ways = ["to-pi", "to-board"].map((way) => [way, say(`page wire-${way}`)]);
    return html`
      <h3 class="bench-title">${say("page wire")}</h3>
      ${toggle(say("page wire-no-pings"), hidesPings, hide, { "data-wire-pings": "" })}
      ${pickOne("seat", [["", say("page wire-all-seats")], ...seats.map((seat) => [seat, say("page seat", { seat })])])}
      ${pickOne("way", [["", say("page wire-both-ways")], ...ways])}
      ${pickOne("verb", [["", say("page wire-all-verbs")], ...[...verbs].sort().map((verb) => [verb, verb])])}
      <button class="wire-pause" type="button" data-do="pause-wire" aria-pressed=${held !== null} onClick=${hold}>
        ${say(held === null ? "page wire-pause" : "page wire-go-on")}
      </button>
    `;
  });
  store.onItems("wire", (items, { whole }) => {
    const fresh = items.map((item) => ({ ...item, key: (count += 1) }));
    kept = lastOf(whole ? fresh : [...kept, ...fresh]);
    const before = verbs.size;
    items.map((item) => verbOf(item.text)).forEach((verb) => verb && verbs.add(verb));
    if (verbs.size > before) {
      drawHead();
    }
    drawLines();
  });

  let seen = false;
  const look = () => live.watch("wire", seen && !document.hidden);
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    look();
  }).observe(element);
  document.addEventListener("visibilitychange", look);
  return element;
};
