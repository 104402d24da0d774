// The decks of tagged cards: all of them with how far they are, a new one, files; and in their place what is being read at
// the discard pad. It must not know what a tag is.

import { el, setText } from "../elements.js";
import { makeDescribing } from "./deck-describe.js";
import { makeDeck, makeNameField } from "./deck.js";
import { makeEnrolling } from "./enrolling.js";

const MOST_BYTES = 262144;

/** The view for `page`: `{element, opened}`. */
export const makeDecks = (page) => {
  const { store, words } = page;
  let decks = new Map();
  let open = false;

  const begin = async (message) => {
    const answer = await page.ask(message);
    if (!answer.ok) {
      page.say(answer.why, "bad");
    }
    return answer.ok;
  };
  /** What came of it was read. */
  const close = () => {
    open = false;
    draw();
    newName.input.focus({ preventScroll: true });
  };
  const enrolling = makeEnrolling(page, begin, close);
  const describing = makeDescribing(page, () => {
    draw();
    newName.input.focus({ preventScroll: true });
  });
  /** Go to where the cards of a deck are described, a new one's too. */
  const describe = async ({ name, game }) => {
    if (await describing.open(name, game)) {
      draw();
      describing.focus();
    }
  };

  const list = el("div", { class: "deck-list", data: { decks: "" } });
  const none = el("p", { class: "deck-none", "data-word": "page cards-none" });
  const newName = makeNameField(page, "deck-new-name");
  const create = el("button", {
    class: "tool tool-main",
    type: "submit",
    "data-word": "page cards-enrol",
    data: { do: "new-deck" },
  });
  const game = el("select", { id: "deck-new-game", data: { deckGame: "" } });
  const gameField = el(
    "div",
    { class: "deck-field" },
    el("label", { for: game.id, "data-word": "page setup-game" }),
    game,
  );
  const own = el("button", {
    class: "tool",
    type: "button",
    "data-word": "page cards-describe-new",
    data: { do: "describe-new" },
  });
  const form = el(
    "form",
    { class: "deck-new", data: { newDeck: "" } },
    el("h3", { class: "deck-title", "data-word": "page cards-new" }),
    el("div", { class: "deck-pick" }, newName.element, gameField, create, own),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await begin({ do: "enrol", deck: newName.name(), game: game.value })) {
      newName.clear();
    }
  });
  own.addEventListener("click", () => describe({ name: newName.name(), game: game.value }));
  game.addEventListener("change", () => drawGames());
  const drawGames = () => {
    const told = store.get("decks");
    const before = game.value;
    game.replaceChildren(...told.games.map((each) => el("option", { value: each.game }, each.title)));
    game.value = before === "" ? told.game : before;
    gameField.hidden = told.games.length < 2;
    own.hidden = !told.games.some((each) => each.game === game.value && each.described);
  };

  // A button like all others, in whose place the browser's own would be.
  const file = el("input", { type: "file", accept: ".json,application/json", data: { file: "" } });
  file.hidden = true;
  const importing = el("button", {
    class: "tool",
    type: "button",
    "data-word": "page cards-import",
    data: { do: "import" },
  });
  importing.addEventListener("click", () => file.click());

  // All that is wrong with a file takes longer to read than a note stays.
  const trouble = el("p", { class: "deck-trouble", role: "alert", data: { deckTrouble: "" } });
  const failed = (why) => {
    trouble.hidden = why === "";
    setText(trouble, why);
  };
  failed("");

  const nameIn = (text) => {
    try {
      return String(JSON.parse(text).name);
    } catch {
      return "";
    }
  };
  const bring = async (text) => {
    const name = nameIn(text);
    const sure =
      !decks.has(name) ||
      (await page.confirm({
        title: words.say("page cards-import-sure", { deck: name }),
        more: words.say("page cards-import-more"),
        yes: words.say("page cards-import-yes"),
      }));
    if (!sure || !(await page.access.need())) {
      return;
    }
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: text };
    const answer = await fetch(`/decks?language=${words.language()}`, request)
      .then((response) => response.json())
      .catch(() => ({ ok: false, why: words.say("page cards-not-read") }));
    failed(answer.ok ? "" : answer.why);
    if (answer.ok) {
      page.say(words.say("page cards-imported", { deck: answer.deck }));
    }
  };
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen !== undefined) {
      if (chosen.size > MOST_BYTES) {
        failed(words.say("page cards-not-read"));
      } else {
        await bring(await chosen.text());
      }
    }
    file.value = "";
  });

  const damaged = el("ul", { class: "deck-damaged" });
  const all = el(
    "div",
    { class: "decks" },
    none,
    list,
    damaged,
    form,
    el("div", { class: "deck-tools" }, importing, file),
    trouble,
  );
  const element = el("div", { class: "decks-view" }, enrolling.element, describing.element, all);

  const drawDamaged = (names) => {
    damaged.hidden = names.length === 0;
    damaged.replaceChildren(
      ...names.map((name) => {
        const label = words.say("page cards-delete");
        const take = el("button", { class: "tool", type: "button", data: { do: "delete-deck" } }, label);
        take.addEventListener("click", () => begin({ do: "delete-deck", deck: name }));
        return el("li", { class: "deck-fault" }, el("span", {}, words.say("page cards-damaged", { deck: name })), take);
      }),
    );
  };

  const drawDecks = (told) => {
    const names = told.decks.map(({ name }) => name);
    if (names.join() !== [...decks.keys()].join()) {
      decks = new Map(names.map((name) => [name, decks.get(name) ?? makeDeck(name, page, begin, describe)]));
      list.replaceChildren(...[...decks.values()].map((deck) => deck.element));
      words.fill(list);
    }
    told.decks.forEach((deck) => decks.get(deck.name).draw(deck, told.games.length > 1));
    none.hidden = names.length > 0;
    drawDamaged(told.damaged);
  };

  const draw = () => {
    const told = store.get("decks");
    const enrolment = store.get("enrolment") ?? null;
    if (told === undefined) {
      return;
    }
    drawDecks(told);
    drawGames();
    const on = enrolment !== null && !enrolment.over;
    const begins = on && !open;
    open = enrolment !== null && (on || open);
    enrolling.element.hidden = !open;
    describing.element.hidden = open || !describing.shown();
    all.hidden = open || describing.shown();
    if (open) {
      enrolling.draw(enrolment);
    }
    if (begins && page.views.shown() === "cards") {
      enrolling.focus();
    }
  };
  const soon = () => store.soon(draw);
  store.on("decks", soon);
  store.on("enrolment", soon);
  words.fill(element);
  return { element, opened: soon };
};
