// Putting things right: what can be done beside playing, each with what it does and why it can't be done now; the
// take-back that is asked for; and, a step at a time, a check, a lost card, a player who leaves. It must not know a
// rule.

import { el, setData } from "../elements.js";
import { countText, seatsName } from "../rows.js";
import { makeChecking } from "./checking.js";
import { makeDeed, makeDoes } from "./deeds.js";
import { makeForm } from "./form.js";
import { makeLeaving } from "./leaving.js";
import { makeLost } from "./lost.js";
import { makeQuestion } from "./question.js";

/** Who asks for a take-back: a seat, or 0 for nobody's. */
const makeAsker = ({ words, store }) => {
  const select = el("select", { data: { asker: "" } });
  const draw = () => {
    const before = select.value;
    const seats = (store.get("seats") ?? []).filter(({ used }) => used).map(({ seat }) => seat);
    select.replaceChildren(
      el("option", { value: "" }, words.say("page correct-middle")),
      ...seats.map((seat) => el("option", { value: seat }, words.say("page seat", { seat }))),
    );
    select.value = seats.map(String).includes(before) ? before : "";
  };
  store.on("seats", draw);
  return {
    element: el(
      "label",
      { class: "pick pick-wide remedy-pick" },
      el("span", { "data-word": "page correct-asker" }),
      select,
    ),
    seat: () => (select.value === "" ? null : Number(select.value)),
  };
};

/** The places as they stand, in one sentence for each team. */
const standings = (page, ending) =>
  ending
    .map(({ seats, place, score, decisive }) =>
      page.words.say(decisive === null ? "page correct-place" : "page correct-place-by", {
        place,
        seats: seatsName(page.words, seats),
        score,
        unit: page.words.say(`unit ${page.store.get("teams")[0].unit}`),
        counted: decisive === null ? "" : countText(page.words, decisive),
      }),
    )
    .join(" ");

const makeList = (page, does) => {
  const { words, store, views } = page;
  const asker = makeAsker(page);
  const possible = () => store.get("possible") ?? { verbs: {}, leaving: [], ending: [] };
  const sure = async (verb, more = "") => {
    const yes = await page.confirm({
      title: words.say(`page correct-${verb}-sure`),
      more,
      yes: words.say(`page correct-${verb}`),
      no: words.say("page correct-no"),
    });
    return yes ? does({ do: verb }) : null;
  };
  const deed = (name, signName, choose, verb = name) => ({
    verb,
    ...makeDeed(page, {
      name,
      labelKey: `page correct-${name}`,
      moreKey: `page correct-${name}-more`,
      signName,
      choose,
    }),
  });
  const isPaused = () => Boolean(store.get("turn")?.paused);
  const pause = deed("pause", "pause", () => does({ do: isPaused() ? "resume" : "pause" }));
  const deeds = [
    deed("take-back", "back", () => does({ do: "take-back", seat: asker.seat() })),
    pause,
    deed("check", "look", () => does({ do: "check" })),
    deed("lost", "lost", () => views.go("correct", "lost")),
    deed("reshuffle", "swap", () => sure("reshuffle", words.say("page correct-reshuffle-more"))),
    deed("vacate", "leave", () => views.go("correct", "leave")),
    deed("end-game", "laurel", () => sure("end-game", standings(page, possible().ending))),
  ];
  deeds[0].element.append(asker.element);

  const draw = () => {
    const { verbs } = possible();
    const name = isPaused() ? "resume" : "pause";
    pause.rename(`page correct-${name}`, `page correct-${name}-more`);
    pause.verb = name;
    deeds.forEach(({ verb, tell, element: shown }) => {
      // what a game knows nothing of isn't offered
      shown.hidden = Object.keys(verbs).length > 0 && !(verb in verbs);
      // a card that was found again can be put back even where none can be marked as lost
      const why = verbs[verb] ?? null;
      tell(verb === "lost" && verbs.recovered === null ? null : why);
    });
  };
  ["possible", "turn"].forEach((part) => store.on(part, draw));
  const forms = (page.about.forms ?? []).map((form) => makeForm(page, form, does));
  const remedies = el("ul", { class: "remedies" }, ...deeds.map((each) => each.element));
  const element = el("div", { class: "correct-list" }, remedies, ...forms);
  return { element, begin: () => element.querySelector("button").focus() };
};

/** The view; `element` holds it, `opened(rest)` shows the list, or the step that `rest` names. */
export const makeCorrect = (page) => {
  const { store } = page;
  const does = makeDoes(page);
  const steps = { "": makeList(page, does), lost: makeLost(page, does), leave: makeLeaving(page, does) };
  const question = makeQuestion(page, does);
  const checking = makeChecking(page, does);
  const shown = Object.entries(steps).map(([name, step]) => [name, step.element]);
  const element = el("div", { class: "correct" }, question, checking, ...shown.map(([, step]) => step));
  let wanted = "";

  const show = () => {
    // while the table is checked, that is what there is to do
    const isChecked = Boolean(store.get("checking"));
    checking.hidden = !isChecked;
    shown.forEach(([name, step]) => {
      step.hidden = isChecked || name !== wanted;
    });
    setData(element, "step", isChecked ? "check" : wanted);
  };
  store.on("checking", show);
  return {
    element,
    opened: (rest) => {
      const before = wanted;
      wanted = rest in steps ? rest : "";
      show();
      if (wanted !== before) {
        steps[wanted].begin();
      }
    },
  };
};
