// One deck in the list: how far it is, and what can be done with it. It must not know how cards are enrolled.

import { MAIN, html, pick, tool } from "../html.js";
import { countOf, missingWords, nameOf } from "./deck-words.js";

/** A field for the name of a deck, and below it what the deck will be called, where that is another. */
export const nameField = (words, id, typed, change) => {
  const name = nameOf(typed);
  return html`
    <div class="field">
      <label for=${id}>${words.say("page cards-name")}</label>
      <input id=${id} type="text" maxlength="60" autocomplete="off" aria-describedby=${`${id}-as`} data-deck-name
        value=${typed} onInput=${(event) => change(event.target.value)} />
      <span class="soft" id=${`${id}-as`}>
        ${name === typed || name === "" ? "" : words.say("page cards-name-as", { name })}
      </span>
    </div>
  `;
};

/** A select with its label. */
export const pickField = (id, label, hooks, value, options, change) => html`
  <div class="field"><label for=${id}>${label}</label>${pick(value, options, change, { id, ...hooks })}</div>
`;

/**
 * Decks of `page` as they are drawn, each by its name, its game where there are `many`: `draw(deck, many)`. `begin` begins
 * an enrolment, `describe` goes to where a deck's cards are described, `again` draws everything anew.
 */
export const makeDecks = (page, { begin, describe, again }) => {
  const { words } = page;
  const { say } = words;
  /** What is filled in for each deck: a card to be replaced, another name. */
  const filled = new Map();
  const fill = (name, news) => {
    filled.set(name, { ...filled.get(name), ...news });
    again();
  };
  const asked = async (message, sentence) => {
    const answer = await page.ask(message);
    page.say(answer.ok ? sentence : answer.why, answer.ok ? "good" : "bad");
    return answer.ok;
  };
  const rename = async (name, as) => {
    if (await asked({ do: "rename-deck", deck: name, name: as }, say("page cards-renamed", { deck: as }))) {
      fill(name, { as: "" });
    }
  };
  const remove = async (deck) => {
    const sure = await page.confirm({
      asks: "delete-deck",
      title: say("page cards-delete-sure", { deck }),
      more: say("page cards-delete-more"),
      yes: say("page cards-delete"),
    });
    if (sure) {
      await asked({ do: "delete-deck", deck }, say("page cards-deleted", { deck }));
    }
  };

  const replacing = ({ name, kinds }) => {
    const chosen = filled.get(name) ?? {};
    const kind = kinds.find((each) => each.kind === chosen.kind) ?? kinds[0];
    const number = Math.min(chosen.number ?? 1, kind?.need ?? 1);
    const numbers = Array.from({ length: kind?.need ?? 0 }, (_, at) => [at + 1, at + 1]);
    return html`
      <section class="stack gap-xs">
        <h4 class="strong">${say("page cards-replace")}</h4>
        <div class="cluster deck-pick">
          ${pickField(
            `deck-${name}-kind`,
            say("page cards-kind"),
            { "data-pick": "kind" },
            kind?.kind,
            kinds.map((each) => [each.kind, each.name]),
            (value) => fill(name, { kind: value, number: 1 }),
          )}
          ${pickField(`deck-${name}-number`, say("page cards-number"), { "data-pick": "number" }, number, numbers, (value) =>
            fill(name, { number: Number(value) }),
          )}
          ${tool("enrol-only", say("page cards-replace-go"), () =>
            begin({ do: "enrol-only", deck: name, cards: [`${kind.kind}#${number}`] }),
          )}
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
              onClick=${() => begin({ do: "enrol-only", deck: deck.name, cards: [control] })}>
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
          <div class="cluster deck-pick">
            ${nameField(words, `deck-${name}-name`, as, (typed) => fill(name, { as: typed }))}
            ${tool("rename-deck", say("page cards-rename"), () => rename(name, nameOf(as)))}
          </div>
          <div class="cluster">
            ${deck.described && tool("describe", say("page cards-describe"), () => describe(deck))}
            ${!deck.in_use &&
            deck.fits &&
            tool("use-deck", say("page cards-use"), () =>
              asked({ do: "use-deck", deck: name }, say("page cards-used", { deck: name })),
            )}
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
          tool("enrol", say("page cards-go-on"), () => begin({ do: "enrol", deck: name }), MAIN)}
          ${deck.known && have > 0 && tool("check-deck", say("page cards-check"), () => begin({ do: "check-deck", deck: name }))}
        </div>
        ${more(deck)}
      </article>
    `;
  };
};
