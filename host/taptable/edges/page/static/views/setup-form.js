// The form of a set-up: how many play, who they are, by which edition and house rules, who begins, with which deck. It
// must not know what a set-up is for.

import { el, setText } from "../elements.js";
import { makeRules } from "./setup-rules.js";

const LONGEST_NAME = 20;
const BY_THE_RULES = "rules";
const STARTERS = [BY_THE_RULES, "youngest"];

const field = (wordKey, input, more = null) =>
  el(
    "div",
    { class: "setup-field setup-field-wide" },
    el("label", { for: input.id, "data-word": wordKey }),
    el("span", { class: "setup-field-line" }, input),
    more,
  );

const makeStepper = (words, change) => {
  const number = el("output", { class: "setup-stepper-number", "aria-live": "polite", data: { setupPlayers: "" } });
  const step = (by, key, text) => {
    const button = el("button", { class: "tool", type: "button", "data-word-label": key, data: { setupStep: by } }, text);
    button.addEventListener("click", () => change(by));
    return button;
  };
  const fewer = step(-1, "page setup-fewer", "−");
  const more = step(1, "page setup-more", "+");
  return {
    element: el(
      "div",
      { class: "setup-stepper", role: "group", "data-word-label": "page start-players" },
      fewer,
      number,
      more,
    ),
    draw: (players, possible) => {
      setText(number, String(players));
      fewer.disabled = players <= possible[0];
      more.disabled = players >= possible[possible.length - 1];
    },
  };
};

/** A form for what the part `setup` offers; `decks` gives the decks there are, each with `name` and `missing`. */
export const makeForm = ({ words, decks }) => {
  let offered = { players: [], seats: 0, editions: [] };
  let players = 0;
  let rules = null;
  const stepper = makeStepper(words, (by) => {
    players += by;
    draw();
  });
  const seatsNote = el("p", { class: "setup-field-more", data: { setupSeats: "" } });
  const names = el("div", { class: "setup-grid", data: { setupNames: "" } });
  const edition = el("select", { id: "setup-edition", data: { setupEdition: "" } });
  const editionMore = el("p", { class: "setup-field-more", data: { setupEditionMore: "" } });
  const starter = el("select", { id: "setup-starter", data: { setupStarter: "" } });
  const deck = el("select", { id: "setup-deck", data: { setupDeck: "" } });
  const deckField = field("page setup-deck", deck);
  const house = el("div", {});
  const legend = (wordKey) => el("legend", { class: "setup-legend", "data-word": wordKey });
  const element = el(
    "div",
    { class: "setup-form" },
    el("fieldset", {}, legend("page start-players"), stepper.element, seatsNote),
    el("fieldset", {}, legend("page setup-names"), names),
    field("page start-edition", edition, editionMore),
    field("page setup-starter", starter),
    deckField,
    el("fieldset", {}, legend("page setup-rules"), house),
  );
  edition.addEventListener("change", () => draw());
  names.addEventListener("input", () => drawStarters());

  const nameFields = () => [...names.querySelectorAll("input")];
  const nameOf = (seat) => nameFields()[seat - 1]?.value.trim() ?? "";

  /** A field for each seat of the table; those at which nobody plays are away, and keep what stands in them. */
  const drawNames = () => {
    for (let seat = nameFields().length + 1; seat <= offered.seats; seat += 1) {
      const input = el("input", {
        id: `setup-name-${seat}`,
        type: "text",
        maxlength: LONGEST_NAME,
        autocomplete: "off",
        data: { setupName: seat },
      });
      names.append(el("div", { class: "setup-field" }, el("label", { for: input.id }), input));
    }
    [...names.children].forEach((each, at) => {
      each.hidden = at >= players;
      setText(each.querySelector("label"), words.say("page setup-name", { seat: at + 1 }));
    });
  };

  const fillSelect = (select, options) => {
    const before = select.value;
    select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
    select.value = options.some(([value]) => value === before) ? before : options[0][0];
  };

  const seatCalled = (seat) => {
    const name = nameOf(seat);
    return name === "" ? words.say("page seat", { seat }) : words.say("page seat-of", { seat, name });
  };

  const drawStarters = () =>
    fillSelect(starter, [
      ...STARTERS.map((each) => [each, words.say(`page starter-${each}`)]),
      ...Array.from({ length: players }, (_, at) => [String(at + 1), seatCalled(at + 1)]),
    ]);

  const drawDecks = () => {
    const there = decks();
    deckField.hidden = there.length < 2;
    fillSelect(deck, [
      ["", words.say("page setup-deck-now")],
      ...there.map(({ name, missing }) => [
        name,
        missing > 0 ? words.say("page setup-deck-lacks", { name, missing }) : name,
      ]),
    ]);
  };

  const draw = () => {
    stepper.draw(players, offered.players);
    seatsNote.hidden = players === offered.seats;
    setText(seatsNote, words.say("page setup-seats", { players, seats: offered.seats }));
    drawNames();
    fillSelect(edition, offered.editions.map((each) => [each, words.say(`page edition-${each}`)]));
    setText(editionMore, words.say(`edition ${edition.value}`));
    drawStarters();
    drawDecks();
    words.fill(element);
    rules?.speak();
  };

  return {
    element,
    draw,
    /** What can be chosen, as the part `setup` has it. */
    offer: (setup) => {
      const others = JSON.stringify(setup.settings) !== JSON.stringify(offered.settings);
      offered = setup;
      if (others) {
        rules = makeRules(setup.settings, words);
        house.replaceChildren(rules.element);
      }
      draw();
    },
    /** Fill it in with a set-up. */
    take: (setUp) => {
      players = setUp.players;
      draw();
      nameFields().forEach((input, at) => {
        input.value = setUp.names[at] ?? "";
      });
      edition.value = setUp.edition;
      deck.value = setUp.deck;
      draw();
      starter.value = String(setUp.starter);
      rules.take(setUp.settings);
    },
    check: () => rules.check(),
    names: () => nameFields().slice(0, players).map((input) => input.value.trim()),
    /** The set-up as it is filled in. */
    setUp: () => ({
      players,
      edition: edition.value,
      starter: STARTERS.includes(starter.value) ? starter.value : Number(starter.value),
      settings: rules.settings(),
      names: nameFields().slice(0, players).map((input) => input.value.trim()),
      deck: deck.value,
    }),
  };
};
