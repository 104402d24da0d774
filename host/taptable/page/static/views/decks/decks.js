// The decks of tagged cards: all of them with how far they are, a new one, files, sheets to print; and in their place
// what is being read at the discard pad. It must not know what a tag is.

import { el, html, keep, pickField, submit, textField, toggle, tool } from "../../html.js";
import { saveFile } from "../../storage.js";
import { makeDrawing, nameField, nameOf } from "./deck.js";
import { makeDescribing } from "./describe.js";
import { drawEnrolling } from "./enrolling.js";

const PAPERS = [
  ["a4", "A4"],
  ["letter", "Letter"],
];

const OF_GAME = { "data-deck-game": "" };
const OF_NAMES = { maxlength: 2000, "data-print": "names" };
const MOST_BYTES = 262144;

const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });

/** The box for sheets to print, as `draw(told)` of the part `decks`; `again` draws everything once more. */
const makePrinting = (page, again) => {
  const { words } = page;
  const { say } = words;
  const wanted = { paper: "a4", bleed: false, controls: true };
  let chosen = "";
  let hasMembers = false;
  let names = "";
  let busy = false;
  let trouble = "";

  const set = (change) => {
    change();
    again();
  };
  const make = async (event, which) => {
    event.preventDefault();
    if (busy || !(await page.access.need())) {
      return;
    }
    set(() => ([busy, trouble] = [true, ""]));
    const [kind, name] = which.split(":");
    const members = hasMembers ? { members: names } : {};
    const body = JSON.stringify({ ...wanted, ...members, [kind]: name });
    try {
      const answer = await post(`/cards?language=${words.language()}`, body);
      if (answer.ok) {
        const file = `${name}-${words.language()}-${wanted.paper}.pdf`;
        saveFile(file, await answer.blob());
        page.say(say("page cards-print-made", { file }));
      } else {
        trouble = (await answer.json()).why;
      }
    } catch {
      trouble = say("page cards-print-failed");
    }
    set(() => (busy = false));
  };
  const drawSwitch = (hook, on, change) =>
    toggle(say(`page cards-print-${hook}`), on, (to) => set(() => change(to)), { "data-print": hook });
  const drawPick = (hook, value, options, change) => {
    const label = say(`page cards-print-${hook}`);
    return pickField(`print-${hook}`, label, value, options, (to) => set(() => change(to)), { "data-print": hook });
  };

  return ({ games, game, decks }) => {
    const described = decks.filter((deck) => deck.known && deck.described);
    const options = [
      ...games.map((each) => [`game:${each.game}`, each.title]),
      ...described.map(({ name }) => [`deck:${name}`, say("page cards-print-deck", { deck: name })]),
    ];
    const which = options.some(([value]) => value === chosen) ? chosen : `game:${game}`;
    return html`
      <form class="box stack gap-s" data-form="printing" data-printing onSubmit=${(event) => make(event, which)}>
        <h3 class="heading">${say("page cards-print")}</h3>
        <div class="cluster fields">
          ${drawPick("which", which, options, (to) => (chosen = to))}
          ${drawPick("paper", wanted.paper, PAPERS, (to) => (wanted.paper = to))}
        </div>
        ${drawSwitch("controls", wanted.controls, (on) => (wanted.controls = on))}
        ${drawSwitch("bleed", wanted.bleed, (on) => (wanted.bleed = on))}
        ${drawSwitch("members", hasMembers, (on) => (hasMembers = on))}
        ${hasMembers &&
        textField("print-names", say("page cards-print-names"), names, (text) => set(() => (names = text)), OF_NAMES)}
        <div class="cluster">${submit("print", say("page cards-print-go"), { "aria-disabled": busy })}</div>
        <p class="soft" role="status" data-print-busy>${busy ? say("page cards-print-busy") : ""}</p>
        <p class="remark" data-mood="bad" role="alert" data-print-trouble>${trouble}</p>
      </form>
    `;
  };
};

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
  const drawDeck = makeDrawing(page, { describe, again: draw });
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
    const answer = await post(`/decks?language=${words.language()}`, text)
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
    if ((await page.does({ do: "enrol", deck: nameOf(typed), game })).ok) {
      set(() => (typed = ""));
    }
  };
  const drawNew = ({ games, game: usual }) => {
    const game = chosen || usual;
    const options = games.map((each) => [each.game, each.title]);
    const isDescribed = games.some((each) => each.game === game && each.described);
    return html`
      <form class="box stack gap-s" data-form="new-deck" data-new-deck onSubmit=${(event) => enrolNew(event, game)}>
        <h3 class="heading">${say("page cards-new")}</h3>
        <div class="cluster fields">
          ${nameField(words, "deck-new-name", typed, (text) => set(() => (typed = text)))}
          ${games.length > 1 &&
          pickField("deck-new-game", say("page setup-game"), game, options, (to) => set(() => (chosen = to)), OF_GAME)}
          ${submit("new-deck", say("page cards-enrol"))}
          ${isDescribed &&
          tool("describe-new", say("page cards-describe-new"), () => describe({ name: nameOf(typed), game }))}
        </div>
        <p class="soft" data-order>${say("page cards-order")}</p>
        <div class="cluster">
          ${tool("import", say("page cards-import"), (event) => event.currentTarget.nextElementSibling.click())}
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
            ${tool("delete-deck", say("page cards-delete"), () => page.does({ do: "delete-deck", deck }))}
          </li>
        `,
      )}
    </ul>
    <div class="stack gap-l forms">${drawNew(told)} ${drawPrinting(told)}</div>
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
      open && drawEnrolling(page, enrolment, back),
      !open && describing.shown() && describing.view(),
      html`<div class="stack gap-l" hidden=${open || describing.shown()}>${drawAll(told)}</div>`,
    ];
  };
  return { element, opened: draw };
};
