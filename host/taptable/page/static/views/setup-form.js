// The form of a set-up: which game, how many play, who they are, by which edition and house rules, who begins, with which
// deck. It must not know what a set-up is for.

import { el, setText } from "../elements.js";
import { makeRules } from "./setup-rules.js";

const LONGEST_NAME = 48; // of 24 characters, some count twice
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

/** A form for what the part `setup` offers; `decks(game)` gives the decks there are, each with `name` and `missing`. */
export const makeForm = ({ words, decks }) => {
  let told = { seats: 0, games: [] };
  let offered = { game: "", players: [], editions: [], settings: [], words: {} };
  let players = 0;
  let rules = null;
  const stepper = makeStepper(words, (by) => {
    players += by;
    draw();
  });
  const seatsNote = el("p", { class: "setup-field-more", data: { setupSeats: "" } });
  const names = el("div", { class: "setup-grid", data: { setupNames: "" } });
  const say = (key) => offered.words[key] ?? words.say(key);
  const game = el("select", { id: "setup-game", data: { setupGame: "" } });
  const gameField = field("page setup-game", game);
  const edition = el("select", { id: "setup-edition", data: { setupEdition: "" } });
  const editionMore = el("p", { class: "setup-field-more", data: { setupEditionMore: "" } });
  const starter = el("select", { id: "setup-starter", data: { setupStarter: "" } });
  const deck = el("select", { id: "setup-deck", data: { setupDeck: "" } });
  const editionField = field("page start-edition", edition, editionMore);
  const deckField = field("page setup-deck", deck);
  const house = el("div", {});
  const legend = (wordKey) => el("legend", { class: "setup-legend", "data-word": wordKey });
  const element = el(
    "div",
    { class: "setup-form" },
    gameField,
    el("fieldset", {}, legend("page start-players"), stepper.element, seatsNote),
    el("fieldset", {}, legend("page setup-names"), names),
    editionField,
    field("page setup-starter", starter),
    deckField,
    el("fieldset", {}, legend("page setup-rules"), house),
  );
  edition.addEventListener("change", () => draw());
  game.addEventListener("change", () => {
    const names = nameFields().map((input) => input.value);
    const { usually } = told.games.find((each) => each.game === game.value);
    take({ ...usually, names, players: Math.min(players, usually.players) });
  });
  names.addEventListener("input", () => drawStarters());

  const nameFields = () => [...names.querySelectorAll("input")];
  const nameOf = (seat) => nameFields()[seat - 1]?.value.trim() ?? "";

  /** A field for each seat of the table; those at which nobody plays are away, and keep what stands in them. */
  const drawNames = () => {
    for (let seat = nameFields().length + 1; seat <= told.seats; seat += 1) {
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
    const there = decks(offered.game);
    deckField.hidden = there.length < 2;
    fillSelect(deck, [
      ["", words.say("page setup-deck-now")],
      ...there.map(({ name, missing }) => [
        name,
        missing > 0 ? words.say("page setup-deck-lacks", { name, missing }) : name,
      ]),
    ]);
  };

  /** What is chosen from is that of one game. */
  const turnTo = (name) => {
    const found = told.games.find((each) => each.game === name) ?? told.games[0];
    const others = JSON.stringify([found.settings, found.words]) !== JSON.stringify([offered.settings, offered.words]);
    const kept = found.game === offered.game ? rules?.settings() : undefined;
    offered = found;
    if (others || rules === null) {
      rules = makeRules(offered.settings, words, say);
      house.replaceChildren(rules.element);
      rules.take(kept ?? {});
    }
    players = Math.min(Math.max(players, offered.players[0]), offered.players[offered.players.length - 1]);
  };

  const draw = () => {
    gameField.hidden = told.games.length < 2;
    fillSelect(game, told.games.map((each) => [each.game, each.title]));
    game.value = offered.game;
    stepper.draw(players, offered.players);
    seatsNote.hidden = players === told.seats;
    setText(seatsNote, words.say("page setup-seats", { players, seats: told.seats }));
    drawNames();
    editionField.hidden = offered.editions.length < 2;
    fillSelect(edition, offered.editions.map((each) => [each, words.say(`page edition-${each}`)]));
    setText(editionMore, say(`edition ${edition.value}`));
    drawStarters();
    drawDecks();
    words.fill(element);
    rules?.speak();
  };

  const take = (setUp) => {
    players = setUp.players;
    turnTo(setUp.game);
    draw();
    nameFields().forEach((input, at) => {
      input.value = setUp.names[at] ?? "";
    });
    edition.value = setUp.edition;
    deck.value = setUp.deck;
    draw();
    starter.value = String(setUp.starter);
    rules.take(setUp.settings);
  };

  return {
    element,
    draw,
    /** What can be chosen, as the part `setup` has it. */
    offer: (setup) => {
      told = setup;
      turnTo(offered.game === "" ? setup.agreed.game : offered.game);
      draw();
    },
    /** Fill it in with a set-up. */
    take,
    check: () => rules.check(),
    names: () => nameFields().slice(0, players).map((input) => input.value.trim()),
    /** The set-up as it is filled in. */
    setUp: () => ({
      game: offered.game,
      players,
      edition: edition.value,
      starter: STARTERS.includes(starter.value) ? starter.value : Number(starter.value),
      settings: rules.settings(),
      names: nameFields().slice(0, players).map((input) => input.value.trim()),
      deck: deck.value,
    }),
  };
};
