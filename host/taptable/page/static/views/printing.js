// Cards to print: what is to be on the sheets, and the PDF that the table's page draws of it. It must not know what a card
// is.

import { html } from "../html.js";
import { pickField } from "./deck.js";

const PAPERS = [
  ["a4", "A4"],
  ["letter", "Letter"],
];

/** The box for `page`, as `draw(told)` of the part `decks`; `again` draws everything anew. */
export const makePrinting = (page, again) => {
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
  const save = (pdf, file) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(pdf);
    link.download = file;
    link.click();
    // the browser has begun to save it once this turn is over
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    try {
      const answer = await fetch(`/cards?language=${words.language()}`, request);
      if (answer.ok) {
        const file = `${name}-${words.language()}-${wanted.paper}.pdf`;
        save(await answer.blob(), file);
        page.say(say("page cards-print-made", { file }), "good");
      } else {
        trouble = (await answer.json()).why;
      }
    } catch {
      trouble = say("page cards-print-failed");
    }
    set(() => (busy = false));
  };
  const drawSwitch = (hook, text, on, change) => html`
    <label class="switch">
      <input type="checkbox" role="switch" data-print=${hook} checked=${on}
        onChange=${(event) => set(() => change(event.target.checked))} />
      <span>${text}</span>
    </label>
  `;

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
        <div class="cluster deck-pick">
          ${pickField("print-which", say("page cards-print-which"), { "data-print": "which" }, which, options, (value) =>
            set(() => (chosen = value)),
          )}
          ${pickField("print-paper", say("page cards-print-paper"), { "data-print": "paper" }, wanted.paper, PAPERS, (value) =>
            set(() => (wanted.paper = value)),
          )}
        </div>
        ${drawSwitch("controls", say("page cards-print-controls"), wanted.controls, (on) => (wanted.controls = on))}
        ${drawSwitch("bleed", say("page cards-print-bleed"), wanted.bleed, (on) => (wanted.bleed = on))}
        ${drawSwitch("members", say("page cards-print-members"), hasMembers, (on) => (hasMembers = on))}
        ${hasMembers &&
        html`
          <div class="field">
            <label for="print-names">${say("page cards-print-names")}</label>
            <input id="print-names" type="text" maxlength="2000" autocomplete="off" data-print="names" value=${names}
              onInput=${(event) => set(() => (names = event.target.value))} />
          </div>
        `}
        <div class="cluster">
          <button class="tool tool-main" type="submit" data-do="print" aria-disabled=${busy}>
            ${say("page cards-print-go")}
          </button>
        </div>
        <p class="soft" role="status" data-print-busy>${busy ? say("page cards-print-busy") : ""}</p>
        <p class="remark" data-mood="bad" role="alert" data-print-trouble>${trouble}</p>
      </form>
    `;
  };
};
