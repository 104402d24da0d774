// The live wire: every sentence between the Pi and the seat boards, as it passes. Knows the shape of a sentence
// (number, verb, fields) and not what any verb means.

import { make, set } from "./dom.js";

const KEPT = 400;
const SHOWN = 150;
const US_PER_MS = 1000;

/** The verb of a sentence; a line that is none has none. */
const verbOf = (text) => /^(?:#\d+ )?([a-z]+\??)/.exec(text)?.[1] ?? "";

const time = (at_us) => {
  const ms = Math.floor(at_us / US_PER_MS);
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(ms / 60000))}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, "0")}`;
};

const option = (value, text) => make("option", { value, text });

/**
 * The wire, watched for as long as it can be seen.
 * @param {any} page
 */
export const makeWire = ({ live, store, words }) => {
  const seat = make("select", { class: "wire-pick", data: { wireSeat: "", wordLabel: "page wire-seat" } });
  const way = make("select", { class: "wire-pick", data: { wireWay: "", wordLabel: "page wire-way" } });
  const verb = make("select", { class: "wire-pick", data: { wireVerb: "", wordLabel: "page wire-verb" } });
  const pause = make("button", { class: "wire-pause", data: { do: "pause-wire" } });
  const list = make("ol", { class: "wire-list", tabindex: 0, data: { wire: "", wordLabel: "page wire" } });
  const title = make("h3", { class: "bench-title", word: "page wire" });
  const empty = make("p", { class: "wire-empty", word: "page wire-empty" });
  const element = make(
    "section",
    { class: "wire" },
    make("div", { class: "wire-head" }, title, seat, way, verb, pause),
    empty,
    list,
  );
  /** @type {any[]} */
  let kept = [];
  let held = false;
  const verbs = new Set();

  const passes = (item) =>
    (seat.value === "" || item.seat === Number(seat.value)) &&
    (way.value === "" || item.way === way.value) &&
    (verb.value === "" || verbOf(item.text) === verb.value);

  const line = (item) => {
    const drawn = make(
      "li",
      { class: "wire-line", data: { way: item.way, damaged: item.damaged } },
      make("span", { class: "wire-time", text: time(item.at_us) }),
      make("span", { class: "wire-ways", text: item.way === "to-pi" ? `${item.seat} →` : `→ ${item.seat}` }),
      make("code", { class: "wire-text", text: item.text }),
    );
    if (item.damaged) {
      drawn.append(make("span", { class: "wire-damaged", text: `✕ ${words.say("page wire-damaged")}` }));
    }
    return drawn;
  };

  const add = (items) => {
    const low = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    list.append(...items.filter(passes).slice(-SHOWN).map(line));
    while (list.children.length > SHOWN) {
      list.firstChild.remove();
    }
    empty.hidden = list.children.length > 0;
    if (low) {
      list.scrollTop = list.scrollHeight;
    }
  };

  const again = () => {
    list.replaceChildren();
    add(kept);
  };

  const fillPicks = () => {
    const picked = [seat.value, way.value, verb.value];
    const players = store.get("demo")?.players ?? 0;
    seat.replaceChildren(
      option("", words.say("page wire-all-seats")),
      ...Array.from({ length: players }, (_, index) => option(index + 1, words.say("page seat", { seat: index + 1 }))),
    );
    way.replaceChildren(
      option("", words.say("page wire-both-ways")),
      option("to-pi", words.say("page wire-to-pi")),
      option("to-board", words.say("page wire-to-board")),
    );
    verb.replaceChildren(
      option("", words.say("page wire-all-verbs")),
      ...[...verbs].sort().map((each) => option(each, each)),
    );
    [seat.value, way.value, verb.value] = picked;
    pause.textContent = words.say(held ? "page wire-go-on" : "page wire-pause");
    set(pause, "aria-pressed", held);
  };

  [seat, way, verb].forEach((pick) => pick.addEventListener("change", again));
  pause.addEventListener("click", () => {
    held = !held;
    fillPicks();
    if (!held) {
      again();
    }
  });
  store.onItems("wire", (items, { whole }) => {
    kept = (whole ? items : [...kept, ...items]).slice(-KEPT);
    const fresh = items.map((item) => verbOf(item.text)).filter((each) => each && !verbs.has(each));
    fresh.forEach((each) => verbs.add(each));
    if (fresh.length > 0) {
      fillPicks();
    }
    if (!held) {
      whole ? again() : add(items);
    }
  });
  store.on("demo", fillPicks);

  let seen = false;
  const look = () => live.watch("wire", seen && !document.hidden);
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    look();
  }).observe(element);
  document.addEventListener("visibilitychange", look);
  return { element };
};
