// One deck in the list: how far it is, and what can be done with it. It must not know how cards are enrolled.

import { el, setData, setText } from "../elements.js";
import { countOf, missingWords, nameOf } from "./deck-words.js";

const button = (hook, wordKey, onClick, className = "tool") => {
  const made = el("button", { class: className, type: "button", "data-word": wordKey, data: { do: hook } });
  made.addEventListener("click", onClick);
  return made;
};

/** A field for the name of a deck, and below it what the deck will be called, where that is another. */
export const makeNameField = (page, id) => {
  const { words } = page;
  const input = el("input", { id, type: "text", maxlength: 60, autocomplete: "off", data: { deckName: "" } });
  const as = el("span", { class: "deck-as", id: `${id}-as` });
  input.setAttribute("aria-describedby", as.id);
  const tell = () => {
    const name = nameOf(input.value);
    setText(as, name === input.value || name === "" ? "" : words.say("page cards-name-as", { name }));
  };
  input.addEventListener("input", tell);
  words.onChange(tell);
  return {
    element: el("div", { class: "deck-field" }, el("label", { for: id, "data-word": "page cards-name" }), input, as),
    input,
    name: () => nameOf(input.value),
    clear: () => {
      input.value = "";
      tell();
    },
  };
};

/**
 * A deck of this name; `draw(deck, many)` shows it as the table told it, with its game where there are `many`.
 * `begin(message)` begins an enrolment, `describe(deck)` goes to where its cards are described.
 */
export const makeDeck = (name, page, begin, describe) => {
  const { words } = page;
  let shown = { name };
  const said = async (message, sentence) => {
    const answer = await page.ask(message);
    page.say(answer.ok ? sentence : answer.why, answer.ok ? "good" : "bad");
    return answer.ok;
  };

  const badge = el("span", { class: "deck-badge", data: { badge: "" } });
  const bar = el("progress", { class: "deck-bar", max: 1 });
  const count = el("span", { class: "deck-count", data: { count: "" } });
  const missing = el("p", { class: "deck-missing", data: { missing: "" } });
  const controls = el("p", { class: "deck-controls" });
  const enrol = button("enrol", "page cards-go-on", () => begin({ do: "enrol", deck: name }), "tool tool-main");
  const check = button("check-deck", "page cards-check", () => begin({ do: "check-deck", deck: name }));

  const kind = el("select", { id: `deck-${name}-kind`, data: { pick: "kind" } });
  const number = el("select", { id: `deck-${name}-number`, data: { pick: "number" } });
  const replace = button("enrol-only", "page cards-replace-go", () =>
    begin({ do: "enrol-only", deck: name, cards: [`${kind.value}#${number.value}`] }),
  );
  const controlPlace = el("div", { class: "deck-tools" });
  const rename = makeNameField(page, `deck-${name}-name`);
  const renameButton = button("rename-deck", "page cards-rename", async () => {
    const as = rename.name();
    if (await said({ do: "rename-deck", deck: name, name: as }, words.say("page cards-renamed", { deck: as }))) {
      rename.clear();
    }
  });
  const use = button("use-deck", "page cards-use", () =>
    said({ do: "use-deck", deck: name }, words.say("page cards-used", { deck: name })),
  );
  const describing = button("describe", "page cards-describe", () => describe(shown));
  const exporting = el("a", {
    class: "tool",
    href: `/decks/${encodeURIComponent(name)}.json`,
    download: `${name}.json`,
    "data-word": "page cards-export",
    data: { do: "export" },
  });
  exporting.addEventListener("click", async (event) => {
    if (!page.access.paired()) {
      event.preventDefault();
      if (await page.access.need()) {
        exporting.click();
      }
    }
  });
  const take = button("delete-deck", "page cards-delete", async () => {
    const sure = await page.confirm({
      title: words.say("page cards-delete-sure", { deck: name }),
      more: words.say("page cards-delete-more"),
      yes: words.say("page cards-delete"),
    });
    if (sure) {
      await said({ do: "delete-deck", deck: name }, words.say("page cards-deleted", { deck: name }));
    }
  });

  const heading = (wordKey) => el("h4", { class: "deck-heading", "data-word": wordKey });
  const replacing = el(
    "section",
    { class: "deck-part" },
    heading("page cards-replace"),
    el(
      "div",
      { class: "deck-pick" },
      el("div", { class: "deck-field" }, el("label", { for: kind.id, "data-word": "page cards-kind" }), kind),
      el("div", { class: "deck-field" }, el("label", { for: number.id, "data-word": "page cards-number" }), number),
      replace,
    ),
  );
  const controlling = el("section", { class: "deck-part" }, heading("page cards-control"), controlPlace);
  const more = el(
    "details",
    { class: "deck-more" },
    el("summary", { "data-word": "page cards-more" }),
    replacing,
    controlling,
    el("div", { class: "deck-part deck-pick" }, rename.element, renameButton),
    el("div", { class: "deck-tools" }, describing, use, exporting, take),
  );
  const element = el(
    "article",
    { class: "deck", "aria-label": name, data: { deck: name } },
    el("div", { class: "deck-top" }, el("h3", { class: "deck-name" }, name), badge),
    el("div", { class: "deck-progress" }, bar, count),
    missing,
    controls,
    el("div", { class: "deck-tools" }, enrol, check),
    more,
  );
  let drawn = "";

  const fillKinds = (kinds) => {
    const [before, at] = [kind.value, number.value];
    kind.replaceChildren(...kinds.map((each) => el("option", { value: each.kind }, each.name)));
    const fillNumbers = () => {
      const need = kinds.find((each) => each.kind === kind.value)?.need ?? 0;
      number.replaceChildren(...Array.from({ length: need }, (_, at) => el("option", { value: at + 1 }, at + 1)));
    };
    kind.onchange = fillNumbers;
    kind.value = kinds.some((each) => each.kind === before) ? before : (kinds[0]?.kind ?? "");
    fillNumbers();
    if (kind.value === before) {
      number.value = at;
    }
  };
  const fillControls = (all, there) => {
    controlPlace.replaceChildren(
      ...all.map(({ control, name: called }) => {
        const made = el("button", { class: "tool", type: "button", data: { control } }, called);
        made.setAttribute("aria-label", words.say("page cards-control-go", { control: called }));
        setData(made, "there", there.includes(control) ? "" : null);
        made.addEventListener("click", () => begin({ do: "enrol-only", deck: name, cards: [control] }));
        return made;
      }),
    );
  };

  return {
    element,
    draw: (deck, many) => {
      shown = deck;
      const { have, need } = countOf(deck.kinds);
      const called = many ? deck.title : words.say("page cards-other-game");
      setText(badge, deck.in_use ? words.say("page cards-in-use") : called);
      badge.hidden = !many && deck.fits && !deck.in_use;
      setData(element, "inUse", deck.in_use ? "" : null);
      setData(element, "complete", deck.complete ? "" : null);
      bar.max = Math.max(1, need);
      bar.value = have;
      bar.setAttribute("aria-label", words.say("page cards-progress", { have, need }));
      setText(count, words.say("page cards-progress", { have, need }));
      missing.hidden = have === need || have === 0;
      setText(missing, words.say("page cards-missing", { cards: missingWords(deck.kinds) }));
      const controlNames = new Map(deck.all_controls.map(({ control, name: called }) => [control, called]));
      const names = deck.controls.map((control) => controlNames.get(control)).join(", ");
      setText(
        controls,
        names === "" ? words.say("page cards-no-controls") : words.say("page cards-controls", { controls: names }),
      );
      enrol.hidden = !deck.known || (deck.complete && deck.controls.length === deck.all_controls.length);
      check.hidden = !deck.known || have === 0;
      use.hidden = deck.in_use || !deck.fits;
      replacing.hidden = !deck.known;
      controlling.hidden = !deck.known;
      describing.hidden = !deck.described;
      const wanted = JSON.stringify([words.language(), deck.controls, deck.all_controls, deck.kinds]);
      if (wanted !== drawn) {
        drawn = wanted;
        fillKinds(deck.kinds);
        fillControls(deck.all_controls, deck.controls);
      }
    },
  };
};
