// One deck in the list: how far it is, and what can be done with it. It must not know how cards are enrolled.

import { html, MAIN, pickField, textField, tool } from "../../html.js";

const MOST_NAMED = 6;
const LONGEST = 40;

/** Numbers in their order, those without a gap as one run: `3, 9–12`. */
const runs = (numbers) => {
  const found = [];
  [...numbers]
    .sort((one, other) => one - other)
    .forEach((number) => {
      const last = found[found.length - 1];
      if (last !== undefined && number === last[1] + 1) {
        last[1] = number;
      } else {
        found.push([number, number]);
      }
    });
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
};

/** How many cards of these kinds are there, and of how many. */
const countOf = (kinds) => ({
  have: kinds.reduce((sum, { need, missing }) => sum + need - missing.length, 0),
  need: kinds.reduce((sum, { need }) => sum + need, 0),
});

/** The cards that are missing of these kinds, as ids. */
export const missingOf = (kinds) => kinds.flatMap(({ kind, missing }) => missing.map((number) => `${kind}#${number}`));

/** The same in words, kind by kind: *E-mail 3, 9–12; Hacker 6*. */
export const missingWords = (kinds) => {
  const lacking = kinds.filter(({ missing }) => missing.length > 0);
  const said = lacking.slice(0, MOST_NAMED).map(({ name, missing }) => `${name} ${runs(missing)}`);
  return said.join("; ") + (lacking.length > MOST_NAMED ? " …" : "");
};

/** The name for a deck that comes next to what somebody typed: small letters, digits and hyphens. */
export const nameOf = (typed) =>
  typed
    .toLowerCase()
    .replace(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD")[0]}e`)
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/[^a-z0-9]+/g, (other) => (/^\p{M}+$/u.test(other) ? "" : "-"))
    .replace(/^-+/, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");

/** A field for the name of a deck, and below it what the deck will be called, where that is another. */
export const nameField = (words, id, typed, change) => {
  const name = nameOf(typed);
  const as = name === typed || name === "" ? "" : words.say("page cards-name-as", { name });
  const of = { maxlength: 60, "aria-describedby": `${id}-as`, "data-deck-name": "" };
  const below = html`<span class="soft" id=${`${id}-as`}>${as}</span>`;
  return textField(id, words.say("page cards-name"), typed, change, of, below);
};

/**
 * Decks of `page` as they are drawn, each by its name, its game where there are `many`: `draw(deck, many)`. `describe`
 * goes to where a deck's cards are described, `again` draws everything once more.
 */
export const makeDrawing = (page, { describe, again }) => {
  const { words } = page;
  const { say } = words;
  /** What is filled in for each deck: a card to be replaced, another name. */
  const filled = new Map();
  const fill = (name, news) => {
    filled.set(name, { ...filled.get(name), ...news });
    again();
  };
  const rename = async (name, as) => {
    if ((await page.does({ do: "rename-deck", deck: name, name: as }, say("page cards-renamed", { deck: as }))).ok) {
      fill(name, { as: "" });
    }
  };
  const use = (deck) => page.does({ do: "use-deck", deck }, say("page cards-used", { deck }));
  const remove = async (deck) => {
    const sure = await page.confirm({
      asks: "delete-deck",
      title: say("page cards-delete-sure", { deck }),
      more: say("page cards-delete-more"),
      yes: say("page cards-delete"),
    });
    if (sure) {
      await page.does({ do: "delete-deck", deck }, say("page cards-deleted", { deck }));
    }
  };

  const replacing = ({ name, kinds }) => {
    const names = kinds.map((each) => [each.kind, each.name]);
    const begin = (cards) => page.does({ do: "enrol-only", deck: name, cards });
    const choose = (what, value, options, change) =>
      pickField(`deck-${name}-${what}`, say(`page cards-${what}`), value, options, change, { "data-pick": what });
    const chosen = filled.get(name) ?? {};
    const kind = kinds.find((each) => each.kind === chosen.kind) ?? kinds[0];
    const number = Math.min(chosen.number ?? 1, kind?.need ?? 1);
    const numbers = Array.from({ length: kind?.need ?? 0 }, (_, at) => [at + 1, at + 1]);
    return html`
      <section class="stack gap-xs">
        <h4 class="strong">${say("page cards-replace")}</h4>
        <div class="cluster fields">
          ${choose("kind", kind?.kind, names, (to) => fill(name, { kind: to, number: 1 }))}
          ${choose("number", number, numbers, (to) => fill(name, { number: Number(to) }))}
          ${tool("enrol-only", say("page cards-replace-go"), () => begin([`${kind.kind}#${number}`]))}
        </div>
      </section>
    `;
  };

  const controlling = (deck) => html`
    <section class="stack gap-xs">
      <h4 class="strong">${say("page cards-control")}</h4>
      <div class="cluster">
        ${deck.all_controls.map(
          ({ control, name }) => html`
            <button class="tool" type="button" data-control=${control}
              data-there=${deck.controls.includes(control) ? "" : null}
              aria-label=${say("page cards-control-go", { control: name })}
              onClick=${() => page.does({ do: "enrol-only", deck: deck.name, cards: [control] })}>
              ${name}
            </button>
          `,
        )}
      </div>
    </section>
  `;

  const more = (deck) => {
    const { name } = deck;
    const as = filled.get(name)?.as ?? "";
    return html`
      <details class="fold deck-more" data-fold="deck-more">
        <summary>${say("page cards-more")}</summary>
        <div class="stack">
          ${deck.known && [replacing(deck), controlling(deck)]}
          <div class="cluster fields">
            ${nameField(words, `deck-${name}-name`, as, (typed) => fill(name, { as: typed }))}
            ${tool("rename-deck", say("page cards-rename"), () => rename(name, nameOf(as)))}
          </div>
          <div class="cluster">
            ${deck.described && tool("describe", say("page cards-describe"), () => describe(deck))}
            ${!deck.in_use && deck.fits && tool("use-deck", say("page cards-use"), () => use(name))}
            <a class="tool" href=${`/decks/${encodeURIComponent(name)}.json`} download=${`${name}.json`}
              data-do="export" onClick=${page.access.follow}>
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
    const begin = (verb) => page.does({ do: verb, deck: name });
    const progress = say("page cards-progress", { have, need });
    const controlNames = new Map(deck.all_controls.map(({ control, name: called }) => [control, called]));
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
        html`<p class="soft" data-missing>${say("page cards-missing", { cards: missingWords(deck.kinds) })}</p>`}
        <p class="soft">${controls === "" ? say("page cards-no-controls") : say("page cards-controls", { controls })}</p>
        <div class="cluster">
          ${deck.known &&
          !(deck.complete && deck.controls.length === deck.all_controls.length) &&
          tool("enrol", say("page cards-go-on"), () => begin("enrol"), MAIN)}
          ${deck.known && have > 0 && tool("check-deck", say("page cards-check"), () => begin("check-deck"))}
        </div>
        ${more(deck)}
      </article>
    `;
  };
};
