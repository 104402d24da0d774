// The decks of tagged cards: the list with progress, a new deck, files, sheets to print; or instead the enrolment under
// way at the discard pad. It must not know what a tag is.

import { drawOnChange, el, html, pickField, submit, textField, toggle, tool } from "../../html.js";
import { saveFile } from "../../storage.js";
import { makeDeckRenderer, nameField, toDeckName } from "./deck.js";
import { makeDeckEditor } from "./describe.js";
import { drawEnrolling } from "./enrolling.js";

const PAPERS = [
  ["a4", "A4"],
  ["letter", "Letter"],
];

const GAME_ATTRIBUTES = { "data-deck-game": "" };
const NAMES_ATTRIBUTES = { maxlength: 2000, "data-print": "names" };
const MAX_BYTES = 262144;

const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });

/** Makes the form for printable sheets: `draw(part)` takes the part `decks`; `redraw()` draws the view again. */
const makePrinting = (page, redraw) => {
  const { words } = page;
  const { say } = words;
  const printOptions = { paper: "a4", bleed: false, controls: true };
  let chosen = "";
  let hasMembers = false;
  let names = "";
  let busy = false;
  let trouble = "";

  const update = (change) => {
    change();
    redraw();
  };
  const downloadSheets = async (event, which) => {
    event.preventDefault();
    if (busy || !(await page.access.ensurePaired())) {
      return;
    }
    update(() => ([busy, trouble] = [true, ""]));
    const [kind, name] = which.split(":");
    const members = hasMembers ? { members: names } : {};
    const body = JSON.stringify({ ...printOptions, ...members, [kind]: name });
    try {
      const answer = await post(`/cards?language=${words.language()}`, body);
      if (answer.ok) {
        const file = `${name}-${words.language()}-${printOptions.paper}.pdf`;
        saveFile(file, await answer.blob());
        page.showNote(say("page cards-print-made", { file }));
      } else {
        trouble = (await answer.json()).why;
      }
    } catch {
      trouble = say("page cards-print-failed");
    }
    update(() => (busy = false));
  };
  const drawSwitch = (hook, on, onChange) =>
    toggle(say(`page cards-print-${hook}`), on, (to) => update(() => onChange(to)), { "data-print": hook });
  const drawPick = (hook, value, options, onChange) => {
    const label = say(`page cards-print-${hook}`);
    return pickField(`print-${hook}`, label, value, options, (to) => update(() => onChange(to)), { "data-print": hook });
  };

  return ({ games, game, decks }) => {
    const described = decks.filter((deck) => deck.known && deck.described);
    const options = [
      ...games.map((each) => [`game:${each.game}`, each.title]),
      ...described.map(({ name }) => [`deck:${name}`, say("page cards-print-deck", { deck: name })]),
    ];
    const which = options.some(([value]) => value === chosen) ? chosen : `game:${game}`;
    return html`
      <form class="box stack gap-s" data-form="printing" data-printing onSubmit=${(event) => downloadSheets(event, which)}>
        <h3 class="heading">${say("page cards-print")}</h3>
        <div class="cluster fields">
          ${drawPick("which", which, options, (to) => (chosen = to))}
          ${drawPick("paper", printOptions.paper, PAPERS, (to) => (printOptions.paper = to))}
        </div>
        ${drawSwitch("controls", printOptions.controls, (on) => (printOptions.controls = on))}
        ${drawSwitch("bleed", printOptions.bleed, (on) => (printOptions.bleed = on))}
        ${drawSwitch("members", hasMembers, (on) => (hasMembers = on))}
        ${hasMembers &&
        textField("print-names", say("page cards-print-names"), names, (text) => update(() => (names = text)), NAMES_ATTRIBUTES)}
        <div class="cluster">${submit("print", say("page cards-print-go"), { "aria-disabled": busy })}</div>
        <p class="soft" role="status" data-print-busy>${busy ? say("page cards-print-busy") : ""}</p>
        <p class="remark" data-mood="bad" role="alert" data-print-trouble>${trouble}</p>
      </form>
    `;
  };
};

/** Makes the view for `page`: `{element, opened}`. */
export const makeDecks = (page) => {
  const { store, words } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l" });
  let typed = "";
  let chosen = "";
  let trouble = "";
  /** Whether the enrolment is shown; it stays until its result was closed. */
  let isEnrolmentShown = false;

  const draw = drawOnChange(element, page, ["decks", "enrolment"], () => view());
  const update = (change) => {
    change();
    draw();
  };
  const focus = (selector) => element.querySelector(selector).focus({ preventScroll: true });
  const showList = () => {
    isEnrolmentShown = false;
    draw();
    focus("#deck-new-name");
  };
  const deckEditor = makeDeckEditor(page, draw, showList);
  const describe = async (deck) => {
    if (await deckEditor.open(deck)) {
      draw();
      focus("[data-describing] h3");
    }
  };
  const drawDeck = makeDeckRenderer(page, { describe, redraw: draw });
  const drawPrinting = makePrinting(page, draw);

  const deckNameIn = (text) => {
    try {
      return String(JSON.parse(text).name);
    } catch {
      return "";
    }
  };
  const importDeck = async (text) => {
    const name = deckNameIn(text);
    const isConfirmed =
      !store.get("decks").decks.some((deck) => deck.name === name) ||
      (await page.confirm({
        asks: "bring-deck",
        title: say("page cards-import-sure", { deck: name }),
        more: say("page cards-import-more"),
        yes: say("page cards-import-yes"),
      }));
    if (!isConfirmed || !(await page.access.ensurePaired())) {
      return;
    }
    const answer = await post(`/decks?language=${words.language()}`, text)
      .then((response) => response.json())
      .catch(() => ({ ok: false, why: say("page cards-not-read") }));
    update(() => (trouble = answer.ok ? "" : answer.why));
    if (answer.ok) {
      page.showNote(say("page cards-imported", { deck: answer.deck }));
    }
  };
  const readFile = async ({ target }) => {
    const [file] = target.files;
    if (file !== undefined) {
      if (file.size > MAX_BYTES) {
        update(() => (trouble = say("page cards-not-read")));
      } else {
        await importDeck(await file.text());
      }
    }
    target.value = "";
  };

  const enrolNew = async (event, game) => {
    event.preventDefault();
    if ((await page.askAndReport({ do: "enrol", deck: toDeckName(typed), game })).ok) {
      update(() => (typed = ""));
    }
  };
  const drawNew = ({ games, game: currentGame }) => {
    const game = chosen || currentGame;
    const options = games.map((each) => [each.game, each.title]);
    const isDescribed = games.some((each) => each.game === game && each.described);
    return html`
      <form class="box stack gap-s" data-form="new-deck" data-new-deck onSubmit=${(event) => enrolNew(event, game)}>
        <h3 class="heading">${say("page cards-new")}</h3>
        <div class="cluster fields">
          ${nameField(words, "deck-new-name", typed, (text) => update(() => (typed = text)))}
          ${games.length > 1 &&
          pickField("deck-new-game", say("page setup-game"), game, options, (to) => update(() => (chosen = to)), GAME_ATTRIBUTES)}
          ${submit("new-deck", say("page cards-enrol"))}
          ${isDescribed &&
          tool("describe-new", say("page cards-describe-new"), () => describe({ name: toDeckName(typed), game }))}
        </div>
        <p class="soft" data-order>${say("page cards-order")}</p>
        <div class="cluster">
          ${tool("import", say("page cards-import"), (event) => event.currentTarget.nextElementSibling.click())}
          <input type="file" accept=".json,application/json" data-file hidden onChange=${readFile} />
        </div>
      </form>
    `;
  };

  const drawAll = (part) => html`
    ${part.decks.length === 0 && html`<p class="soft deck-none">${say("page cards-none")}</p>`}
    <div class="tiles gap-l deck-list" data-decks>${part.decks.map((deck) => drawDeck(deck, part.games.length > 1))}</div>
    <ul class="stack gap-s">
      ${part.damaged.map(
        (deck) => html`
          <li class="box cluster apart deck-fault">
            <span>${say("page cards-damaged", { deck })}</span>
            ${tool("delete-deck", say("page cards-delete"), () => page.askAndReport({ do: "delete-deck", deck }))}
          </li>
        `,
      )}
    </ul>
    <div class="stack gap-l forms">${drawNew(part)} ${drawPrinting(part)}</div>
    <p class="remark" data-mood="bad" role="alert" data-deck-trouble>${trouble}</p>
  `;

  const view = () => {
    const part = store.get("decks");
    const enrolment = store.get("enrolment") ?? null;
    if (part === undefined) {
      return null;
    }
    const hasJustBegun = enrolment !== null && !enrolment.over && !isEnrolmentShown;
    isEnrolmentShown = enrolment !== null && (!enrolment.over || isEnrolmentShown);
    if (hasJustBegun && page.views.current() === "cards") {
      queueMicrotask(() => focus("[data-enrolling] h3"));
    }
    return [
      isEnrolmentShown && drawEnrolling(page, enrolment, showList),
      !isEnrolmentShown && deckEditor.isOpen() && deckEditor.view(),
      html`<div class="stack gap-l" hidden=${isEnrolmentShown || deckEditor.isOpen()}>${drawAll(part)}</div>`,
    ];
  };
  return { element, opened: draw };
};
