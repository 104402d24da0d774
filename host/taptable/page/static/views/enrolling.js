// Cards at the discard pad: what to tap now in large, what became of the last one, and how far each kind is. It must not
// know the list of decks.

import { symbol } from "../cards.js";
import { el, setData, setText } from "../elements.js";
import { sign } from "../signs.js";
import { missingOf, missingWords } from "./deck-words.js";

const SIGN = { accepted: "yes", refused: "no", fault: "no", "": "turn" };
const TITLE = { enrol: "page cards-enrolling", replace: "page cards-replacing", check: "page cards-checking" };
const MOST_AGAIN = 40;

/** The screen for `page`: `{element, draw}`; `begin(message)` begins another enrolment, `close` leads back. */
export const makeEnrolling = (page, begin, close) => {
  const { words, cards } = page;
  const ask = async (message) => {
    const answer = await page.ask(message);
    if (!answer.ok) {
      page.say(answer.why, "bad");
    }
  };
  const button = (hook, wordKey, onClick, className = "tool") => {
    const made = el(
      "button",
      { class: className, type: "button", data: { do: hook } },
      el("span", { "data-word": wordKey }, words.say(wordKey)),
    );
    made.addEventListener("click", onClick);
    return made;
  };

  const title = el("h3", { class: "enrolling-title", tabindex: "-1" });
  const by = el("p", { class: "enrolling-by" });
  const face = el("div", { class: "enrolling-face", "aria-hidden": "true" });
  const where = el("p", { class: "enrolling-where" });
  const name = el("p", { class: "enrolling-name", "aria-live": "polite", data: { wanted: "" } });
  const count = el("p", { class: "enrolling-count", data: { count: "" } });
  const bar = el("progress", { class: "deck-bar", max: 1, "aria-hidden": "true" });
  const saidSign = el("span", { class: "enrolling-said-sign" });
  const saidText = el("span", { data: { said: "" } });
  const said = el("p", { class: "enrolling-said", data: { saidLine: "" } }, saidSign, saidText);
  const missing = el("p", { class: "enrolling-missing", data: { missing: "" } });
  const strangers = el("p", { class: "enrolling-missing" });
  const undo = button("enrol-undo", "page cards-undo", () => ask({ do: "enrol-undo" }));
  const skip = button("enrol-skip", "page cards-skip", () => ask({ do: "enrol-skip" }));
  const stop = button("enrol-stop", "page cards-stop", () => ask({ do: "enrol-stop" }));
  const again = button("enrol-only", "page cards-replace-missing", () =>
    begin({ do: "enrol-only", deck: shown.deck, cards: missingOf(shown.kinds).slice(0, MOST_AGAIN) }),
  );
  const back = button("close", "page cards-close", close, "tool tool-main");
  const waits = el("p", { class: "enrolling-waits", "data-word": "page cards-waits" });
  const kinds = el("ul", { class: "enrolling-kinds", "data-word-label": "page cards-kinds" });
  const element = el(
    "section",
    { class: "enrolling", data: { enrolling: "" } },
    title,
    by,
    el(
      "div",
      { class: "enrolling-now" },
      face,
      el("div", { class: "enrolling-what" }, where, name, count, bar),
    ),
    el("div", { role: "status" }, said),
    missing,
    strangers,
    el("div", { class: "enrolling-tools" }, undo, skip, stop, again, back),
    waits,
    kinds,
  );
  let shown = { deck: "", kinds: [] };
  let chips = new Map();
  let faced = "";

  const drawFace = (wanted) => {
    const kind = wanted.split("#")[0];
    const known = document.getElementById(`face-${kind}`) !== null;
    const id = known ? `face-${kind}` : "face-back";
    if (faced !== id) {
      faced = id;
      face.replaceChildren(symbol(id, "card-face", "0 0 63 88"));
    }
  };

  const chipOf = (kind) => {
    const figures = el("span", { class: "kind-count" });
    const label = el("span", { class: "kind-name" });
    const inside = el("button", { class: "kind", type: "button", data: { kind } }, cards.sign(kind), label, figures);
    inside.addEventListener("click", () => {
      if (inside.getAttribute("aria-disabled") === "false") {
        ask({ do: "enrol-kind", kind });
      }
    });
    return { element: el("li", {}, inside), inside, label, figures };
  };

  const drawKinds = (enrolment) => {
    const wanted = enrolment.kinds.map(({ kind }) => kind);
    if (wanted.join() !== [...chips.keys()].join()) {
      chips = new Map(wanted.map((kind) => [kind, chipOf(kind)]));
      kinds.replaceChildren(...[...chips.values()].map((chip) => chip.element));
    }
    const mayChoose = enrolment.how === "enrol" && !enrolment.over;
    enrolment.kinds.forEach(({ kind, name: called, need, missing: lacking }) => {
      const chip = chips.get(kind);
      const fields = { kind: called, have: need - lacking.length, need };
      setText(chip.label, fields.kind);
      setText(chip.figures, `${fields.have}/${need}`);
      const may = mayChoose && lacking.length > 0;
      const key = may ? "page cards-kind-now" : "page cards-kind-so-far";
      chip.inside.setAttribute("aria-label", words.say(key, fields));
      chip.inside.setAttribute("aria-disabled", String(!may));
      setData(chip.inside, "whole", lacking.length === 0 ? "" : null);
      setData(chip.inside, "now", enrolment.wanted === kind ? "" : null);
    });
  };

  /** What became of the last one; at the end of a check, which cards are missing says more. */
  const drawSaid = (enrolment) => {
    said.hidden = enrolment.said === "" || !missing.hidden;
    setData(said, "mood", enrolment.mood);
    const isNews = said.dataset.atUs !== String(enrolment.at_us);
    if (isNews || saidText.textContent !== enrolment.said) {
      setData(said, "atUs", enrolment.at_us);
      saidSign.replaceChildren(sign(SIGN[enrolment.mood] ?? "turn"));
      // A text of its own each time: the same sentence a second time is read out too.
      saidText.replaceChildren(enrolment.said);
    }
  };

  return {
    element,
    focus: () => title.focus({ preventScroll: true }),
    draw: (enrolment) => {
      shown = enrolment;
      const checking = enrolment.how === "check";
      setText(title, words.say(TITLE[enrolment.how], { deck: enrolment.deck }));
      setText(by, words.say("page cards-by", { by: enrolment.by }));
      by.hidden = enrolment.over || enrolment.by === "" || enrolment.by === "page";
      drawFace(enrolment.wanted);
      setText(where, words.say(checking ? "page cards-now-all" : "page cards-now"));
      where.hidden = enrolment.over;
      setText(name, enrolment.name);
      name.hidden = enrolment.name === "";
      setText(count, words.say("page cards-count", enrolment));
      bar.max = Math.max(1, enrolment.need);
      bar.value = enrolment.have;
      const lacking = missingOf(enrolment.kinds);
      missing.hidden = !checking || !enrolment.over || lacking.length === 0;
      drawSaid(enrolment);
      setText(missing, words.say("page cards-missing", { cards: missingWords(enrolment.kinds) }));
      strangers.hidden = enrolment.strangers === 0;
      const one = enrolment.strangers === 1;
      setText(
        strangers,
        words.say(one ? "page cards-strangers-one" : "page cards-strangers", { count: enrolment.strangers }),
      );
      undo.hidden = checking || enrolment.over;
      undo.setAttribute("aria-disabled", String(!enrolment.undoable));
      skip.hidden = checking || enrolment.over;
      stop.hidden = enrolment.over;
      again.hidden = missing.hidden;
      back.hidden = !enrolment.over;
      waits.hidden = enrolment.over;
      kinds.hidden = enrolment.how === "replace";
      setData(element, "over", enrolment.over ? "" : null);
      drawKinds(enrolment);
    },
  };
};
