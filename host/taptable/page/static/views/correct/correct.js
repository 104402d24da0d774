// Corrections: what can be done beside playing, with its effect and why it may be impossible now; a requested
// take-back; and step by step a check, a lost card, a leaving player. It must not know any rule.

import { drawOnChange, el, field, html, pick, pickField, submit } from "../../html.js";
import { countText, seatsName } from "../../table/rows.js";
import { makeChecking, makeQuestion } from "./checking.js";
import { makeLeaving, makeLost, remedy } from "./steps.js";

/** Returns the count name for a field: `one-points` for `one_points`. */
const countName = (name) => name.replaceAll("_", "-");

/** Returns the table's counts for a seat, by name. */
const knownCounts = (store, seat) => {
  const holds = (store.get("seats") ?? []).find((each) => each.seat === seat)?.holds ?? [];
  const counts = (store.get("teams") ?? []).find(({ seats }) => seats.includes(seat))?.counts ?? [];
  return new Map([...holds, ...counts].map(({ name, have }) => [name, have]));
};

/** Makes a control's form from its description in `about.forms`: a view that `draw` renders. */
const makeForm = ({ store, words, names, act }, { control, needed, optional }, draw) => {
  const { say } = words;
  const hasSeat = needed.some(({ kind }) => kind === "seat");
  const fields = [...needed, ...optional].filter(({ kind }) => kind === "whole");
  let seat = 0;
  let inputs = {};

  const send = async (event) => {
    event.preventDefault();
    const entries = fields.map(({ name }) => [name, inputs[name] ?? ""]).filter(([, text]) => text !== "");
    const numbers = Object.fromEntries(entries.map(([name, text]) => [name, Number(text)]));
    if ((await act({ do: "use-control", control, fields: { ...(hasSeat ? { seat } : {}), ...numbers } })).ok) {
      inputs = {};
      draw();
    }
  };

  return () => {
    const seats = (store.get("seats") ?? []).filter(({ used }) => used).map((each) => each.seat);
    seat = seats.includes(seat) ? seat : (seats[0] ?? 0);
    const counts = knownCounts(store, seat);
    const choose = (value) => {
      seat = Number(value);
      draw();
    };
    const seatOptions = seats.map((each) => [each, names.seat(each)]);
    const pickSeat = () =>
      pickField(`form-${control}-seat`, say("page form-seat"), seat, seatOptions, choose, { "data-field": "seat" });
    const numberField = ({ name, least, most }) =>
      field(
        `form-${control}-${name}`,
        say(`count-of ${countName(name)}`),
        html`<input id=${`form-${control}-${name}`} class="form-number" type="number" inputmode="numeric" min=${least}
          max=${most} step="1" data-field=${name} placeholder=${counts.get(countName(name)) ?? ""}
          value=${inputs[name] ?? ""} onInput=${(event) => (inputs[name] = event.target.value)} />`,
      );
    return html`
      <form class="box stack gap-s control-form" data-form=${control} onSubmit=${send}>
        <h3 class="heading">${say(`control ${control}`)}</h3>
        <p class="soft">${say("page form-more")}</p>
        <div class="cluster form-fields">
          ${hasSeat && pickSeat()} ${fields.map(numberField)}
        </div>
        ${submit(control, say("page form-send"))}
      </form>
    `;
  };
};

const PARTS = ["checking", "lost", "names", "piles", "possible", "seats", "table", "teams", "turn"];

/** Describes the current places, one sentence per team. */
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

/** Makes the list of corrections as a view. */
const makeList = (page, draw) => {
  const { words, store, views, act } = page;
  const { say } = words;
  const forms = page.about.forms.map((form) => makeForm(page, form, draw));
  /** The seat that asks for a take-back; "" for no seat. */
  let asker = "";

  const confirmAndAct = async (verb, more) => {
    const isConfirmed = await page.confirm({
      asks: verb,
      title: say(`page correct-${verb}-sure`),
      more,
      yes: say(`page correct-${verb}`),
      no: say("page correct-no"),
    });
    return isConfirmed ? act({ do: verb }) : null;
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
    const takeBack = () => act({ do: "take-back", seat: asker === "" ? null : Number(asker) });
    const remedies = [
      ["take-back", "back", takeBack],
      ["pause", pause === "pause" ? "pause" : "turn", () => act({ do: pause }), pause],
      ["check", "look", () => act({ do: "check" })],
      ["lost", "lost", () => views.go("correct", "lost")],
      ["reshuffle", "swap", () => confirmAndAct("reshuffle", say("page correct-reshuffle-more"))],
      ["vacate", "leave", () => views.go("correct", "leave")],
      ["end-game", "laurel", () => confirmAndAct("end-game", standings(page, ending))],
    ];
    const drawRemedy = ([name, iconName, onClick, verb = name]) =>
      remedy(page, {
        name,
        label: say(`page correct-${verb}`),
        more: say(`page correct-${verb}-more`),
        iconName,
        onClick,
        // A found card can be put back even when none can be marked as lost.
        why: verb === "lost" && verbs.recovered === null ? null : (verbs[verb] ?? null),
        below: name === "take-back" ? pickAsker() : null,
      });
    // corrections that the game doesn't know are left out
    const offered = remedies.filter(([name, , , verb = name]) => Object.keys(verbs).length === 0 || verb in verbs);
    return html`<div><ul class="stack remedies">${offered.map(drawRemedy)}</ul> ${forms.map((form) => form())}</div>`;
  };
};

/** Makes the view. `opened(rest)` shows the list, or the step that `rest` names. */
export const makeCorrect = (page) => {
  const place = el("div", { class: "root" });
  let stepName = "";
  // the check of the table replaces everything else
  const draw = drawOnChange(place, page, PARTS, () => (page.store.get("checking") ? null : steps[stepName].view()));
  const list = { view: makeList(page, draw), begin: () => place.querySelector("button")?.focus() };
  const steps = { "": list, lost: makeLost(page, draw), leave: makeLeaving(page, draw) };
  const element = el("div", { class: "stack" }, makeQuestion(page), makeChecking(page), place);
  const opened = (rest) => {
    const before = stepName;
    stepName = rest in steps ? rest : "";
    draw();
    if (stepName !== before && !page.store.get("checking")) {
      steps[stepName].begin();
    }
  };
  /** Resets the choices made in a step. */
  const closed = () => {
    stepName = "";
  };
  return { element, opened, closed };
};
