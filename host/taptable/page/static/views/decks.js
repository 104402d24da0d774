// The decks of tagged cards: all of them with how far they are, a new one, files; and in their place what is being read at
// the discard pad. It must not know what a tag is.

import { el } from "../elements.js";
import { MAIN, html, keep, tool } from "../html.js";
import { makeDescribing } from "./deck-describe.js";
import { nameOf } from "./deck-words.js";
import { makeDecks as makeEach, nameField, pickField } from "./deck.js";
import { drawEnrolling } from "./enrolling.js";
import { makePrinting } from "./printing.js";

const MOST_BYTES = 262144;

/** The view for `page`: `{element, opened}`. */
export const makeDecks = (page) => {
  const { store, words } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l" });
  let typed = "";
  let chosen = "";
  let trouble = "";
  /** Whether what is read at the pad is shown: until what came of it was read. */
  let open = false;

  const draw = keep(element, page, ["decks", "enrolment"], () => view());
  const set = (change) => {
    change();
    draw();
  };
  const focus = (selector) => element.querySelector(selector).focus({ preventScroll: true });
  const begin = async (message) => {
    const answer = await page.ask(message);
    if (!answer.ok) {
      page.say(answer.why, "bad");
    }
    return answer.ok;
  };
  const back = () => {
    open = false;
    draw();
    focus("#deck-new-name");
  };
  const describing = makeDescribing(page, draw, back);
  const describe = async (deck) => {
    if (await describing.open(deck)) {
      draw();
      focus("[data-describing] h3");
    }
  };
  const drawDeck = makeEach(page, { begin, describe, again: draw });
  const drawPrinting = makePrinting(page, draw);

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
      !store.get("decks").decks.some((deck) => deck.name === name) ||
      (await page.confirm({
        asks: "bring-deck",
        title: say("page cards-import-sure", { deck: name }),
        more: say("page cards-import-more"),
        yes: say("page cards-import-yes"),
      }));
    if (!sure || !(await page.access.need())) {
      return;
    }
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: text };
    const answer = await fetch(`/decks?language=${words.language()}`, request)
      .then((response) => response.json())
      .catch(() => ({ ok: false, why: say("page cards-not-read") }));
    set(() => (trouble = answer.ok ? "" : answer.why));
    if (answer.ok) {
      page.say(say("page cards-imported", { deck: answer.deck }));
    }
  };
  const take = async ({ target }) => {
    const [file] = target.files;
    if (file !== undefined) {
      if (file.size > MOST_BYTES) {
        set(() => (trouble = say("page cards-not-read")));
      } else {
        await bring(await file.text());
      }
    }
    target.value = "";
  };

  const enrolNew = async (event, game) => {
    event.preventDefault();
    if (await begin({ do: "enrol", deck: nameOf(typed), game })) {
      set(() => (typed = ""));
    }
  };
  const drawNew = ({ games, game: usual }) => {
    const game = chosen || usual;
    const isDescribed = games.some((each) => each.game === game && each.described);
    return html`
      <form class="box stack gap-s" data-form="new-deck" data-new-deck onSubmit=${(event) => enrolNew(event, game)}>
        <h3 class="heading">${say("page cards-new")}</h3>
        <div class="cluster deck-pick">
          ${nameField(words, "deck-new-name", typed, (text) => set(() => (typed = text)))}
          ${games.length > 1 &&
          pickField(
            "deck-new-game",
            say("page setup-game"),
            { "data-deck-game": "" },
            game,
            games.map((each) => [each.game, each.title]),
            (value) => set(() => (chosen = value)),
          )}
          <button class="tool tool-main" type="submit" data-do="new-deck">${say("page cards-enrol")}</button>
          ${isDescribed &&
          tool("describe-new", say("page cards-describe-new"), () => describe({ name: nameOf(typed), game }))}
        </div>
        <p class="soft" data-order>${say("page cards-order")}</p>
        <div class="cluster">
          <button class="tool" type="button" data-do="import"
            onClick=${(event) => event.currentTarget.nextElementSibling.click()}>
            ${say("page cards-import")}
          </button>
          <input type="file" accept=".json,application/json" data-file hidden onChange=${take} />
        </div>
      </form>
    `;
  };

  const drawAll = (told) => html`
    ${told.decks.length === 0 && html`<p class="soft deck-none">${say("page cards-none")}</p>`}
    <div class="tiles gap-l deck-list" data-decks>${told.decks.map((deck) => drawDeck(deck, told.games.length > 1))}</div>
    <ul class="stack gap-s">
      ${told.damaged.map(
        (deck) => html`
          <li class="box cluster apart deck-fault">
            <span>${say("page cards-damaged", { deck })}</span>
            <button class="tool" type="button" data-do="delete-deck"
              onClick=${() => begin({ do: "delete-deck", deck })}>
              ${say("page cards-delete")}
            </button>
          </li>
        `,
      )}
    </ul>
    <div class="stack gap-l deck-forms">${drawNew(told)} ${drawPrinting(told)}</div>
    <p class="remark" data-mood="bad" role="alert" data-deck-trouble>${trouble}</p>
  `;

  const view = () => {
    const told = store.get("decks");
    const enrolment = store.get("enrolment") ?? null;
    if (told === undefined) {
      return null;
    }
    const begins = enrolment !== null && !enrolment.over && !open;
    open = enrolment !== null && (!enrolment.over || open);
    if (begins && page.views.shown() === "cards") {
      queueMicrotask(() => focus("[data-enrolling] h3"));
    }
    return [
      open && drawEnrolling(page, enrolment, begin, back),
      !open && describing.shown() && describing.view(),
      html`<div class="stack gap-l" hidden=${open || describing.shown()}>${drawAll(told)}</div>`,
    ];
  };
  return { element, opened: draw };
};
