// The middle of the table: piles, what is waited for, the window with its countdown, pause and the end. It draws frame
// by frame only while a window runs. It must not know the game behind the window.

import { el, fill, setData, setText } from "./elements.js";
import { toElement } from "./html.js";
import { makeLately } from "./lately.js";
import { makePiles } from "./piles.js";
import { decisiveNote } from "./rows.js";
import { sign } from "./signs.js";

const US_PER_S = 1e6;
const US_PER_MS = 1000;
const SVG = "http://www.w3.org/2000/svg";

const ringOf = () => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("class", "countdown-ring");
  svg.setAttribute("aria-hidden", "true");
  const circles = ["countdown-track", "countdown-left"].map((name) => {
    const circle = document.createElementNS(SVG, "circle");
    circle.setAttribute("class", name);
    circle.setAttribute("cx", "32");
    circle.setAttribute("cy", "32");
    circle.setAttribute("r", "27");
    circle.setAttribute("pathLength", "1");
    svg.append(circle);
    return circle;
  });
  return { svg, left: circles[1] };
};

/** By how much somebody was first, in words; "" if nobody else had pressed. */
const marginText = (words, window) => {
  if (window.tied.length > 0) {
    return words.say("page tied", { tied: window.tied.join(", ") });
  }
  if (window.margin_us === null) {
    return "";
  }
  return words.say("page margin", {
    margin: words.number(window.margin_us / US_PER_MS, 1),
    uncertainty: words.number(window.uncertainty_us / US_PER_MS, 1),
  });
};

const makeWindow = ({ store, words }) => {
  const { svg, left } = ringOf();
  const seconds = el("span", { class: "countdown-seconds", "aria-hidden": "true" });
  const text = el("p", { class: "window-text" });
  const pressed = el("p", { class: "window-pressed" });
  const element = el(
    "div",
    { class: "window", data: { window: "" }, hidden: true },
    el("div", { class: "countdown" }, svg, seconds),
    el("div", { class: "window-words" }, text, pressed),
  );
  let running = null;
  let shown = "";
  let ticking = false;

  const tick = () => {
    ticking = false;
    if (running === null) {
      return;
    }
    const leftUs = Math.max(0, running.ends_us - store.nowUs());
    const share = running.whole_us > 0 ? Math.min(1, leftUs / running.whole_us) : 0;
    left.setAttribute("stroke-dashoffset", String(1 - share));
    const now = String(Math.ceil(leftUs / US_PER_S));
    if (now !== shown) {
      shown = now;
      seconds.textContent = now;
    }
    if (leftUs > 0 && store.speed() > 0) {
      keepTicking();
    }
  };

  const keepTicking = () => {
    if (!ticking) {
      ticking = true;
      requestAnimationFrame(tick);
    }
  };

  const draw = (window) => {
    const before = running;
    running = window ?? null;
    element.hidden = running === null;
    if (running === null) {
      return;
    }
    const claimed = running.claimant !== null;
    setData(element, "state", claimed ? "claim" : "open");
    setData(element, "kind", running.kind);
    setText(text, claimed ? marginText(words, running) : "");
    pressed.replaceChildren(
      ...running.pressed.flatMap((seat) => [
        el("span", { class: "badge badge-small", "aria-hidden": "true" }, String(seat)),
        el("span", { class: "unseen" }, words.say("page pressed-by", { seat })),
      ]),
    );
    if (before === null || before.ends_us !== running.ends_us) {
      shown = "";
    }
    keepTicking();
  };

  store.on("window", draw);
  return element;
};

const rankingOf = (words, names, teams) =>
  teams
    .filter((team) => team.place !== null)
    .sort((one, other) => one.place - other.place)
    .map((team) =>
      el(
        "li",
        { data: { place: String(team.place) } },
        sign("laurel", "sign laurel"),
        el("span", { class: "ranking-place" }, words.say("page place", { place: team.place })),
        el(
          "span",
          { class: "ranking-players" },
          ...team.seats.map((seat) =>
            el(
              "span",
              { class: "ranking-player" },
              el("span", { class: "badge badge-small" }, String(seat)),
              names.of(seat) === "" ? null : el("span", {}, names.of(seat)),
            ),
          ),
        ),
        el("span", { class: "ranking-score" }, `${team.score} ${words.say(`unit ${team.unit}`)}`),
        decisiveNote(words, team),
      ),
    );

/** The middle of the table in `root`. */
export const makeCentre = (root, page) => {
  const { store, words, names, slots } = page;
  const { stock, pyramid, laid, open } = makePiles(page);
  const title = el("strong", { class: "now-title" });
  const more = el("span", { class: "now-more" });
  const paused = toElement(sign("pause", "sign now-sign"));
  const now = el("p", { class: "now", data: { now: "" } }, paused, title, more);
  const ranking = el("ol", { class: "ranking", hidden: true });
  const seeHow = el("a", { class: "tool see-how", "data-word": "page see-how", data: { seeHow: "" }, hidden: true });
  root.replaceChildren(
    el("div", { class: "piles" }, stock, slots.centre, laid),
    pyramid,
    el("div", { class: "ticker" }, makeWindow({ store, words }), now, open, makeLately({ store }), ranking, seeHow),
  );

  store.on("now", (told) => {
    setText(title, told?.title ?? "");
    setText(more, told?.more ?? "");
  });
  const drawEnd = () => {
    const over = store.get("turn")?.over === true;
    ranking.hidden = !over;
    fill(ranking, ...(over ? rankingOf(words, names, store.get("teams") ?? []) : []));
    const course = store.get("course");
    seeHow.hidden = !over || course === undefined;
    seeHow.setAttribute("href", `#games/${course?.id ?? ""}`);
  };
  store.on("turn", (turn) => {
    setData(now, "paused", turn?.paused ? "true" : null);
    paused.toggleAttribute("hidden", !turn?.paused);
    drawEnd();
  });
  ["teams", "course", "names"].forEach((name) => store.on(name, drawEnd));
};
