// Putting things right: what can be done beside playing, each with what it does and why it can't be done now; the
// take-back that is asked for; and, a step at a time, a check, a lost card, a player who leaves. It must not know a
// rule.

import { el } from "../elements.js";
import { html, keep, pick } from "../html.js";
import { countText, seatsName } from "../rows.js";
import { makeChecking } from "./checking.js";
import { remedy, makeAsk } from "./remedies.js";
import { makeForm } from "./form.js";
import { makeLeaving } from "./leaving.js";
import { makeLost } from "./lost.js";
import { makeQuestion } from "./question.js";

const PARTS = ["checking", "lost", "names", "piles", "possible", "seats", "table", "teams", "turn"];

/** The places as they stand, in one sentence for each team. */
const standings = ({ words, store }, ending) =>
  ending
    .map(({ seats, place, score, decisive }) =>
      words.say(decisive === null ? "page correct-place" : "page correct-place-by", {
        place,
        seats: seatsName(words, seats),
        score,
        unit: words.say(`unit ${store.get("teams")[0].unit}`),
        counted: decisive === null ? "" : countText(words, decisive),
      }),
    )
    .join(" ");

/** The list of what can be done, as a view. */
const makeList = (page, ask, draw) => {
  const { words, store, views } = page;
  const { say } = words;
  const forms = (page.about.forms ?? []).map((form) => makeForm(page, form, ask, draw));
  /** Who asks for a take-back: a seat, or "" for nobody's. */
  let asker = "";

  const sure = async (verb, more) => {
    const yes = await page.confirm({
      asks: verb,
      title: say(`page correct-${verb}-sure`),
      more,
      yes: say(`page correct-${verb}`),
      no: say("page correct-no"),
    });
    return yes ? ask({ do: verb }) : null;
  };
  const pickAsker = () => {
    const seats = (store.get("seats") ?? []).filter(({ used }) => used).map(({ seat }) => seat);
    asker = seats.map(String).includes(asker) ? asker : "";
    const options = [["", say("page correct-middle")], ...seats.map((seat) => [seat, say("page seat", { seat })])];
    const choose = (value) => {
      asker = value;
      draw();
    };
    return html`
      <label class="pick pick-wide remedy-pick">
        <span>${say("page correct-asker")}</span>${pick(asker, options, choose, { "data-asker": "" })}
      </label>
    `;
  };

  return () => {
    const { verbs, ending } = store.get("possible") ?? { verbs: {}, ending: [] };
    const pause = store.get("turn")?.paused ? "resume" : "pause";
    const takeBack = () => ask({ do: "take-back", seat: asker === "" ? null : Number(asker) });
    const remedies = [
      ["take-back", "back", takeBack],
      ["pause", pause === "pause" ? "pause" : "turn", () => ask({ do: pause }), pause],
      ["check", "look", () => ask({ do: "check" })],
      ["lost", "lost", () => views.go("correct", "lost")],
      ["reshuffle", "swap", () => sure("reshuffle", say("page correct-reshuffle-more"))],
      ["vacate", "leave", () => views.go("correct", "leave")],
      ["end-game", "laurel", () => sure("end-game", standings(page, ending))],
    ];
    const drawRemedy = ([name, signName, choose, verb = name]) =>
      remedy(page, {
        name,
        label: say(`page correct-${verb}`),
        more: say(`page correct-${verb}-more`),
        signName,
        choose,
        // a card that was found again can be put back even where none can be marked as lost
        why: verb === "lost" && verbs.recovered === null ? null : (verbs[verb] ?? null),
        below: name === "take-back" ? pickAsker() : null,
      });
    // what a game knows nothing of isn't offered
    const offered = remedies.filter(([name, , , verb = name]) => Object.keys(verbs).length === 0 || verb in verbs);
    return html`
      <div>
        <ul class="stack remedies">${offered.map(drawRemedy)}</ul>
        ${forms.map((form) => form())}
      </div>
    `;
  };
};

/** The view; `element` holds it, `opened(rest)` shows the list, or the step that `rest` names. */
export const makeCorrect = (page) => {
  const ask = makeAsk(page);
  const place = el("div", { class: "root" });
  let wanted = "";
  // while the table is checked, that is what there is to do
  const draw = keep(place, page, PARTS, () => (page.store.get("checking") ? null : steps[wanted].view()));
  const list = { view: makeList(page, ask, draw), begin: () => place.querySelector("button")?.focus() };
  const steps = { "": list, lost: makeLost(page, ask, draw), leave: makeLeaving(page, ask, draw) };
  const element = el("div", { class: "stack" }, makeQuestion(page, ask), makeChecking(page, ask), place);
  const opened = (rest) => {
    const before = wanted;
    wanted = rest in steps ? rest : "";
    draw();
    if (wanted !== before && !page.store.get("checking")) {
      steps[wanted].begin();
    }
  };
  /** What was chosen in a step is chosen no longer when it is opened again. */
  const closed = () => {
    wanted = "";
  };
  return { element, opened, closed };
};
