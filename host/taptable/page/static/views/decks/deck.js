// One deck in the list: its progress, and what can be done with it. It must not know how cards are enrolled.

import { html, MAIN, pickField, textField, tool } from "../../html.js";

const MAX_KINDS_NAMED = 6;
const MAX_NAME_LENGTH = 40;

/** Formats numbers as runs: `3, 9–12`. */
const formatRuns = (numbers) => {
  const ranges = [];
  [...numbers]
    .sort((one, other) => one - other)
    .forEach((number) => {
      const last = ranges[ranges.length - 1];
      if (last !== undefined && number === last[1] + 1) {
        last[1] = number;
      } else {
        ranges.push([number, number]);
      }
    });
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
};

/** Returns how many cards of these kinds exist and are needed: `{have, need}`. */
const countOf = (kinds) => ({
  have: kinds.reduce((sum, { need, missing }) => sum + need - missing.length, 0),
  need: kinds.reduce((sum, { need }) => sum + need, 0),
});

/** Returns the ids of these kinds' missing cards. */
export const missingCards = (kinds) =>
  kinds.flatMap(({ kind, missing }) => missing.map((number) => `${kind}#${number}`));

/** Lists missing cards in words, kind by kind: *E-mail 3, 9–12; Hacker 6*. */
export const missingText = (kinds) => {
  const incomplete = kinds.filter(({ missing }) => missing.length > 0);
  const parts = incomplete.slice(0, MAX_KINDS_NAMED).map(({ name, missing }) => `${name} ${formatRuns(missing)}`);
  return parts.join("; ") + (incomplete.length > MAX_KINDS_NAMED ? " …" : "");
};

/** Turns typed text into a valid deck name: lower case, digits and hyphens. */
export const toDeckName = (typed) =>
  typed
    .toLowerCase()
    .replace(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD")[0]}e`)
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/[^a-z0-9]+/g, (other) => (/^\p{M}+$/u.test(other) ? "" : "-"))
    .replace(/^-+/, "")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/-+$/, "");

/** A field for a deck's name; if the name will differ from what is typed, it is shown below. */
export const nameField = (words, id, typed, onChange) => {
  const name = toDeckName(typed);
  const renamed = name === typed || name === "" ? "" : words.say("page cards-name-as", { name });
  const attributes = { maxlength: 60, "aria-describedby": `${id}-as`, "data-deck-name": "" };
  const below = html`<span class="soft" id=${`${id}-as`}>${renamed}</span>`;
  return textField(id, words.say("page cards-name"), typed, onChange, attributes, below);
};

/**
 * Makes `draw(deck, many)`; with `many` games each deck shows its own. `describe(deck)` opens the editor of the deck's
 * cards, `redraw()` draws the view again.
 */
export const makeDeckRenderer = (page, { describe, redraw }) => {
  const { words } = page;
  const { say } = words;
  /** Unsaved input for each deck: the card to replace, the new name. */
  const inputs = new Map();
  const setInput = (name, changes) => {
    inputs.set(name, { ...inputs.get(name), ...changes });
    redraw();
  };
  const rename = async (name, newName) => {
    const sentence = say("page cards-renamed", { deck: newName });
    if ((await page.askAndReport({ do: "rename-deck", deck: name, name: newName }, sentence)).ok) {
      setInput(name, { as: "" });
    }
  };
  const use = (deck) => page.askAndReport({ do: "use-deck", deck }, say("page cards-used", { deck }));
  const remove = async (deck) => {
    const isConfirmed = await page.confirm({
      asks: "delete-deck",
      title: say("page cards-delete-sure", { deck }),
      more: say("page cards-delete-more"),
      yes: say("page cards-delete"),
    });
    if (isConfirmed) {
      await page.askAndReport({ do: "delete-deck", deck }, say("page cards-deleted", { deck }));
    }
  };

  const drawReplacing = ({ name, kinds }) => {
    const names = kinds.map((each) => [each.kind, each.name]);
    const begin = (cards) => page.askAndReport({ do: "enrol-only", deck: name, cards });
    const choose = (what, value, options, change) =>
      pickField(`deck-${name}-${what}`, say(`page cards-${what}`), value, options, change, { "data-pick": what });
    const chosen = inputs.get(name) ?? {};
    const kind = kinds.find((each) => each.kind === chosen.kind) ?? kinds[0];
    const number = Math.min(chosen.number ?? 1, kind?.need ?? 1);
    const numbers = Array.from({ length: kind?.need ?? 0 }, (_, at) => [at + 1, at + 1]);
    return html`
      <section class="stack gap-xs">
        <h4 class="strong">${say("page cards-replace")}</h4>
        <div class="cluster fields">
          ${choose("kind", kind?.kind, names, (to) => setInput(name, { kind: to, number: 1 }))}
          ${choose("number", number, numbers, (to) => setInput(name, { number: Number(to) }))}
          ${tool("enrol-only", say("page cards-replace-go"), () => begin([`${kind.kind}#${number}`]))}
        </div>
      </section>
    `;
  };

  const drawControlCards = (deck) => html`
    <section class="stack gap-xs">
      <h4 class="strong">${say("page cards-control")}</h4>
      <div class="cluster">
        ${deck.all_controls.map(
          ({ control, name }) => html`
            <button class="tool" type="button" data-control=${control}
              data-enrolled=${deck.controls.includes(control) ? "" : null}
              aria-label=${say("page cards-control-go", { control: name })}
              onClick=${() => page.askAndReport({ do: "enrol-only", deck: deck.name, cards: [control] })}>
              ${name}
            </button>
          `,
        )}
      </div>
    </section>
  `;

  const drawMore = (deck) => {
    const { name } = deck;
    const newName = inputs.get(name)?.as ?? "";
    return html`
      <details class="fold deck-more" data-fold="deck-more">
        <summary>${say("page cards-more")}</summary>
        <div class="stack">
          ${deck.known && [drawReplacing(deck), drawControlCards(deck)]}
          <div class="cluster fields">
            ${nameField(words, `deck-${name}-name`, newName, (typed) => setInput(name, { as: typed }))}
            ${tool("rename-deck", say("page cards-rename"), () => rename(name, toDeckName(newName)))}
          </div>
          <div class="cluster">
            ${deck.described && tool("describe", say("page cards-describe"), () => describe(deck))}
            ${!deck.in_use && deck.fits && tool("use-deck", say("page cards-use"), () => use(name))}
            <a class="tool" href=${`/decks/${encodeURIComponent(name)}.json`} download=${`${name}.json`}
              data-do="export" onClick=${page.access.followLink}>
              ${say("page cards-export")}
            </a>
            ${tool("delete-deck", say("page cards-delete"), () => remove(name))}
          </div>
        </div>
      </details>
    `;
  };

  return (deck, many) => {
    const { name } = deck;
    const { have, need } = countOf(deck.kinds);
    const badge = deck.in_use ? say("page cards-in-use") : many ? deck.title : say("page cards-other-game");
    const begin = (verb) => page.askAndReport({ do: verb, deck: name });
    const progress = say("page cards-progress", { have, need });
    const controlNames = new Map(deck.all_controls.map(({ control, name: controlName }) => [control, controlName]));
    const controls = deck.controls.map((control) => controlNames.get(control)).join(", ");
    return html`
      <article class="box stack gap-s deck" key=${name} aria-label=${name} data-deck=${name} data-in-use=${deck.in_use}>
        <div class="cluster baseline apart deck-top">
          <h3 class="heading anywhere">${name}</h3>
          ${(many || !deck.fits || deck.in_use) && html`<span class="deck-badge" data-badge>${badge}</span>`}
        </div>
        <div class="deck-progress">
          <progress class="deck-bar" max=${Math.max(1, need)} value=${have} aria-label=${progress}></progress>
          <span class="digits" data-count>${progress}</span>
        </div>
        ${have > 0 &&
        have < need &&
        html`<p class="soft" data-missing>${say("page cards-missing", { cards: missingText(deck.kinds) })}</p>`}
        <p class="soft">${controls === "" ? say("page cards-no-controls") : say("page cards-controls", { controls })}</p>
        <div class="cluster">
          ${deck.known &&
          !(deck.complete && deck.controls.length === deck.all_controls.length) &&
          tool("enrol", say("page cards-go-on"), () => begin("enrol"), MAIN)}
          ${deck.known && have > 0 && tool("check-deck", say("page cards-check"), () => begin("check-deck"))}
        </div>
        ${drawMore(deck)}
      </article>
    `;
  };
};
