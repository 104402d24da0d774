// The form of a set-up: which game, how many play, who they are, by which edition and house rules, who begins, with
// which deck. The rules are made from what the table says of them, so that any game has its own. It must not know what
// a set-up is for.

import { html, pickField, textField } from "../../html.js";
import { LONGEST_NAME } from "../../names.js";

const STARTERS = ["rules", "youngest"];
const S_PER_MIN = 60;

/** What stands in a field for a text as the table has it; and the way back. */
const shown = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) / S_PER_MIN) : text);
const meant = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) * S_PER_MIN) : text);

/** The game of this name among those that the part `setup` offers. */
export const offeredOf = (setup, name) => setup.games.find(({ game }) => game === name) ?? setup.games[0];

/** What stands in the fields for a set-up of the game that is offered; the rules that it doesn't name are as usual. */
export const filledWith = (offered, { players, names, edition, starter, deck, settings }) => ({
  game: offered.game,
  players: Math.min(Math.max(players, offered.players[0]), offered.players.at(-1)),
  names: [...names],
  edition,
  starter: String(starter),
  deck,
  rules: Object.fromEntries(
    offered.settings.map(({ key, kind, default: usual }) => [key, shown(kind, settings[key] ?? usual ?? "")]),
  ),
  /** The fields in which something stands that is no number. */
  none: {},
});

/** Is what stands in the field of a rule none that the rule takes? Nothing at all is as usual. */
const isWrong = ({ key, kind, least, most }, { rules, none }) => {
  const [text, number] = [rules[key], Number(rules[key])];
  const isOutside = !(least <= number && number <= most) || (kind === "whole" && !Number.isInteger(number));
  return kind !== "choice" && (Boolean(none[key]) || (text !== "" && isOutside));
};

/** Look at all rules: true if nothing is wrong; else the first that is wrong is gone to. */
export const isRight = (offered, filled) => {
  const wrong = offered.settings.find((rule) => isWrong(rule, filled));
  document.getElementById(`rule-${wrong?.key}`)?.focus();
  return wrong === undefined;
};

export const namesOf = ({ names, players }) => Array.from({ length: players }, (_, at) => (names[at] ?? "").trim());

/** The set-up as it is filled in. */
export const setUpOf = (offered, filled) => {
  const texts = offered.settings.map(({ key, kind }) => [key, meant(kind, filled.rules[key])]);
  return {
    game: offered.game,
    players: filled.players,
    edition: filled.edition,
    starter: STARTERS.includes(filled.starter) ? filled.starter : Number(filled.starter),
    settings: Object.fromEntries(texts.filter(([, text]) => text !== "")),
    names: namesOf(filled),
    deck: filled.deck,
  };
};

/**
 * The form for what the part `setup` offers, `filled` as it is; `decks` are those of the game, each with `name` and
 * `missing`. `change(news)` is told what is filled in otherwise, `choose(game)` that it is to be another game.
 */
export const drawForm = (words, setup, filled, decks, change, choose) => {
  const offered = offeredOf(setup, filled.game);
  const { players, names } = filled;
  const say = (key) => offered.words[key] ?? words.say(key);
  const pickOne = (name, wordKey, options, choose = (to) => change({ [name]: to })) =>
    pickField(`setup-${name}`, words.say(wordKey), filled[name], options, choose, { [`data-setup-${name}`]: "" });
  const group = (wordKey, of, fields) => html`
    <fieldset>
      <legend class="setup-legend">${words.say(wordKey)}</legend>
      <div class="tiles setup-grid" ...${of}>${fields}</div>
    </fieldset>
  `;
  const seatCalled = (seat) => {
    const name = (names[seat - 1] ?? "").trim();
    return name === "" ? words.say("page seat", { seat }) : words.say("page seat-of", { seat, name });
  };
  const step = (by, wordKey, text, isEnd) => html`
    <button class="tool" type="button" aria-label=${words.say(wordKey)} data-setup-step=${by} disabled=${isEnd}
      onClick=${() => change({ players: players + by })}>
      ${text}
    </button>
  `;
  const nameField = (_, at) => {
    const seat = at + 1;
    const rename = (name) => change({ names: Object.assign([...names], { [at]: name }) });
    const of = { maxlength: LONGEST_NAME, "data-setup-name": seat };
    return textField(`setup-name-${seat}`, words.say("page setup-name", { seat }), names[at] ?? "", rename, of);
  };

  const changeRule = (key, text, isNone = false) =>
    change({ rules: { ...filled.rules, [key]: text }, none: { ...filled.none, [key]: isNone } });
  const choiceField = ({ key, words: known, default: usual }) => {
    // a choice without a default has an empty text for what the edition chooses
    const options = (usual === null ? ["", ...known] : known).map((word) => [word, say(`setting ${key}=${word}`)]);
    const choose = (text) => changeRule(key, text);
    return pickField(`rule-${key}`, say(`setting ${key}`), filled.rules[key], options, choose, { "data-rule": key });
  };
  /** What is recommended for so many, to be taken and given up again; who has other rules than usual isn't asked. */
  const drawAdvice = ({ key, settings, text }) => {
    const rules = offered.settings.filter((rule) => rule.key in settings);
    const filledBy = (of) => Object.fromEntries(rules.map((rule) => [rule.key, shown(rule.kind, of(rule) ?? "")]));
    const stands = (texts) => rules.every((rule) => filled.rules[rule.key] === texts[rule.key]);
    const advised = filledBy((rule) => settings[rule.key]);
    const usual = filledBy((rule) => rule.default);
    const isTaken = stands(advised);
    const take = () => change({ rules: { ...filled.rules, ...(isTaken ? usual : advised) } });
    return (
      (isTaken || stands(usual)) &&
      html`
        <div class="stack gap-s setup-advice" data-advice=${key}>
          <p class="soft small">${text}</p>
          <button class="tool" type="button" aria-pressed=${isTaken} onClick=${take}>${words.say("page setup-advice")}</button>
        </div>
      `
    );
  };
  const numberField = (rule) => {
    const { key, kind, least, most, default: usual } = rule;
    const wrong = isWrong(rule, filled);
    const said = { setting: say(`setting ${key}`), least, most };
    return html`
      <div class="field">
        <label for=${`rule-${key}`}>${said.setting}</label>
        <span class="beside">
          <input id=${`rule-${key}`} type="number" inputmode=${kind === "seconds" ? "decimal" : "numeric"} min=${least}
            max=${most} step=${kind === "seconds" ? "any" : "1"} aria-describedby=${`rule-${key}-wrong`}
            aria-invalid=${wrong} data-rule=${key} placeholder=${usual ? null : words.say("page setup-none")}
            value=${filled.rules[key]}
            onInput=${({ target }) => changeRule(key, target.value, target.validity.badInput)} />
          ${kind !== "whole" && html`<span class="soft small">${words.say(`page in-${kind}`)}</span>`}
        </span>
        <p class="wrong small" id=${`rule-${key}-wrong`} data-wrong=${key}>
          ${wrong ? words.say(`page range-${kind}`, said) : ""}
        </p>
      </div>
    `;
  };
  const ruleField = (rule) => (rule.kind === "choice" ? choiceField(rule) : numberField(rule));
  const named = (what, all) => all.map((each) => [each, words.say(`page ${what}-${each}`)]);

  const seatsNote = players === setup.seats ? "" : words.say("page setup-seats", { players, seats: setup.seats });
  return html`
    <div class="stack">
      <div class="tiles setup-what">
        ${setup.games.length > 1 &&
        pickOne("game", "page setup-game", setup.games.map(({ game, title }) => [game, title]), choose)}
        <div class="field" role="group" aria-labelledby="setup-players">
          <span class="label" id="setup-players">${words.say("page start-players")}</span>
          <div class="beside setup-stepper">
            ${step(-1, "page setup-fewer", "−", players <= offered.players[0])}
            <output class="strong" aria-live="polite" data-setup-players>${players}</output>
            ${step(1, "page setup-more", "+", players >= offered.players.at(-1))}
          </div>
        </div>
        ${offered.editions.length > 1 &&
        pickOne("edition", "page start-edition", named("edition", offered.editions))}
        ${pickOne("starter", "page setup-starter", [
          ...named("starter", STARTERS),
          ...Array.from({ length: players }, (_, at) => [String(at + 1), seatCalled(at + 1)]),
        ])}
        ${decks.length > 1 &&
        pickOne("deck", "page setup-deck", [
          ["", words.say("page setup-deck-now")],
          ...decks.map((deck) => [deck.name, deck.missing > 0 ? words.say("page setup-deck-lacks", deck) : deck.name]),
        ])}
      </div>
      <p class="soft small" data-setup-seats>${seatsNote}</p>
      ${offered.advice.filter((each) => each.players === players).map(drawAdvice)}
      ${offered.editions.length > 1 &&
      html`<p class="soft small" data-setup-edition-more>${say(`edition ${filled.edition}`)}</p>`}
      ${group("page setup-names", { "data-setup-names": "" }, Array.from({ length: players }, nameField))}
      ${group("page setup-rules", {}, offered.settings.map(ruleField))}
    </div>
  `;
};
