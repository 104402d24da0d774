// The set-up form: game, number of players, names, edition, house rules, starter, deck. The rules' fields are built
// from the part `setup`, so every game has its own. It must not know what a set-up is used for.

import { html, pickField, textField } from "../../html.js";
import { MAX_NAME_LENGTH } from "../../names.js";

const STARTERS = ["rules", "youngest"];
const S_PER_MIN = 60;

/** Converts a rule's value (text) to its field's text; `fromFieldText` converts back. */
const toFieldText = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) / S_PER_MIN) : text);
const fromFieldText = (kind, text) => (kind === "minutes" && text !== "" ? String(Number(text) * S_PER_MIN) : text);

/** Returns the offer of a game in the part `setup`; the first one if there is none of this name. */
export const gameOffer = (setup, name) => setup.games.find(({ game }) => game === name) ?? setup.games[0];

/** Returns the form's inputs for a set-up; rules it doesn't name have their defaults. */
export const inputsFor = (offer, { players, names, edition, starter, deck, settings }) => ({
  game: offer.game,
  players: Math.min(Math.max(players, offer.players[0]), offer.players.at(-1)),
  names: [...names],
  edition,
  starter: String(starter),
  deck,
  rules: Object.fromEntries(
    offer.settings.map(({ key, kind, default: defaultText }) => [
      key,
      toFieldText(kind, settings[key] ?? defaultText ?? ""),
    ]),
  ),
  /** Keys of fields whose content is no number. */
  notNumbers: {},
});

/** Whether a rule's field has an invalid value. Empty means the default, and is valid. */
const isInvalid = ({ key, kind, least, most }, { rules, notNumbers }) => {
  const [text, number] = [rules[key], Number(rules[key])];
  const isOutside = !(least <= number && number <= most) || (kind === "whole" && !Number.isInteger(number));
  return kind !== "choice" && (Boolean(notNumbers[key]) || (text !== "" && isOutside));
};

/** Checks all rules. Focuses the first invalid one; returns whether there is none. */
export const validateRules = (offer, inputs) => {
  const invalid = offer.settings.find((rule) => isInvalid(rule, inputs));
  document.getElementById(`rule-${invalid?.key}`)?.focus();
  return invalid === undefined;
};

export const playerNames = ({ names, players }) => Array.from({ length: players }, (_, at) => (names[at] ?? "").trim());

/** Returns the set-up that the inputs describe. */
export const toSetUp = (offer, inputs) => {
  const texts = offer.settings.map(({ key, kind }) => [key, fromFieldText(kind, inputs.rules[key])]);
  return {
    game: offer.game,
    players: inputs.players,
    edition: inputs.edition,
    starter: STARTERS.includes(inputs.starter) ? inputs.starter : Number(inputs.starter),
    settings: Object.fromEntries(texts.filter(([, text]) => text !== "")),
    names: playerNames(inputs),
    deck: inputs.deck,
  };
};

/**
 * Draws the form for the part `setup` with these `inputs`; `decks` are the game's, each with `name` and `missing`.
 * `onChange(changes)` receives changed inputs, `onGameChange(game)` another game.
 */
export const drawForm = (words, setup, inputs, decks, onChange, onGameChange) => {
  const offer = gameOffer(setup, inputs.game);
  const { players, names } = inputs;
  const say = (key) => offer.words[key] ?? words.say(key);
  const pickOne = (name, wordKey, options, onPick = (to) => onChange({ [name]: to })) =>
    pickField(`setup-${name}`, words.say(wordKey), inputs[name], options, onPick, { [`data-setup-${name}`]: "" });
  const group = (wordKey, attributes, fields) => html`
    <fieldset>
      <legend class="setup-legend">${words.say(wordKey)}</legend>
      <div class="tiles setup-grid" ...${attributes}>${fields}</div>
    </fieldset>
  `;
  const seatLabel = (seat) => {
    const name = (names[seat - 1] ?? "").trim();
    return name === "" ? words.say("page seat", { seat }) : words.say("page seat-of", { seat, name });
  };
  const step = (by, wordKey, text, isEnd) => html`
    <button class="tool" type="button" aria-label=${words.say(wordKey)} data-setup-step=${by} disabled=${isEnd}
      onClick=${() => onChange({ players: players + by })}>
      ${text}
    </button>
  `;
  const nameField = (_, at) => {
    const seat = at + 1;
    const rename = (name) => onChange({ names: Object.assign([...names], { [at]: name }) });
    const attributes = { maxlength: MAX_NAME_LENGTH, "data-setup-name": seat };
    return textField(`setup-name-${seat}`, words.say("page setup-name", { seat }), names[at] ?? "", rename, attributes);
  };

  const changeRule = (key, text, isNotNumber = false) =>
    onChange({ rules: { ...inputs.rules, [key]: text }, notNumbers: { ...inputs.notNumbers, [key]: isNotNumber } });
  const choiceField = ({ key, words: choices, default: defaultText }) => {
    // Without a default, the empty text means the edition's own choice.
    const values = defaultText === null ? ["", ...choices] : choices;
    const options = values.map((word) => [word, say(`setting ${key}=${word}`)]);
    const setRule = (text) => changeRule(key, text);
    return pickField(`rule-${key}`, say(`setting ${key}`), inputs.rules[key], options, setRule, { "data-rule": key });
  };
  /**
   * Draws the recommendation for this number of players, to accept or withdraw; only if the rules are the default or
   * the recommended ones.
   */
  const drawAdvice = ({ key, settings, text }) => {
    const rules = offer.settings.filter((rule) => rule.key in settings);
    const textsFrom = (valueOf) =>
      Object.fromEntries(rules.map((rule) => [rule.key, toFieldText(rule.kind, valueOf(rule) ?? "")]));
    const matchInputs = (texts) => rules.every((rule) => inputs.rules[rule.key] === texts[rule.key]);
    const advised = textsFrom((rule) => settings[rule.key]);
    const defaultTexts = textsFrom((rule) => rule.default);
    const isTaken = matchInputs(advised);
    const toggleAdvice = () => onChange({ rules: { ...inputs.rules, ...(isTaken ? defaultTexts : advised) } });
    return (
      (isTaken || matchInputs(defaultTexts)) &&
      html`
        <div class="stack gap-s setup-advice" data-advice=${key}>
          <p class="soft small">${text}</p>
          <button class="tool" type="button" aria-pressed=${isTaken} onClick=${toggleAdvice}>${words.say("page setup-advice")}</button>
        </div>
      `
    );
  };
  const numberField = (rule) => {
    const { key, kind, least, most, default: defaultText } = rule;
    const invalid = isInvalid(rule, inputs);
    const facts = { setting: say(`setting ${key}`), least, most };
    return html`
      <div class="field">
        <label for=${`rule-${key}`}>${facts.setting}</label>
        <span class="beside">
          <input id=${`rule-${key}`} type="number" inputmode=${kind === "seconds" ? "decimal" : "numeric"} min=${least}
            max=${most} step=${kind === "seconds" ? "any" : "1"} aria-describedby=${`rule-${key}-wrong`}
            aria-invalid=${invalid} data-rule=${key} placeholder=${defaultText ? null : words.say("page setup-none")}
            value=${inputs.rules[key]}
            onInput=${({ target }) => changeRule(key, target.value, target.validity.badInput)} />
          ${kind !== "whole" && html`<span class="soft small">${words.say(`page in-${kind}`)}</span>`}
        </span>
        <p class="wrong small" id=${`rule-${key}-wrong`} data-wrong=${key}>
          ${invalid ? words.say(`page range-${kind}`, facts) : ""}
        </p>
      </div>
    `;
  };
  const ruleField = (rule) => (rule.kind === "choice" ? choiceField(rule) : numberField(rule));
  const labelled = (what, all) => all.map((each) => [each, words.say(`page ${what}-${each}`)]);

  const seatsNote = players === setup.seats ? "" : words.say("page setup-seats", { players, seats: setup.seats });
  return html`
    <div class="stack">
      <div class="tiles setup-what">
        ${setup.games.length > 1 &&
        pickOne("game", "page setup-game", setup.games.map(({ game, title }) => [game, title]), onGameChange)}
        <div class="field" role="group" aria-labelledby="setup-players">
          <span class="label" id="setup-players">${words.say("page start-players")}</span>
          <div class="beside setup-stepper">
            ${step(-1, "page setup-fewer", "−", players <= offer.players[0])}
            <output class="strong" aria-live="polite" data-setup-players>${players}</output>
            ${step(1, "page setup-more", "+", players >= offer.players.at(-1))}
          </div>
        </div>
        ${offer.editions.length > 1 &&
        pickOne("edition", "page start-edition", labelled("edition", offer.editions))}
        ${pickOne("starter", "page setup-starter", [
          ...labelled("starter", STARTERS),
          ...Array.from({ length: players }, (_, at) => [String(at + 1), seatLabel(at + 1)]),
        ])}
        ${decks.length > 1 &&
        pickOne("deck", "page setup-deck", [
          ["", words.say("page setup-deck-now")],
          ...decks.map((deck) => [deck.name, deck.missing > 0 ? words.say("page setup-deck-lacks", deck) : deck.name]),
        ])}
      </div>
      <p class="soft small" data-setup-seats>${seatsNote}</p>
      ${offer.advice.filter((each) => each.players === players).map(drawAdvice)}
      ${offer.editions.length > 1 &&
      html`<p class="soft small" data-setup-edition-more>${say(`edition ${inputs.edition}`)}</p>`}
      ${group("page setup-names", { "data-setup-names": "" }, Array.from({ length: players }, nameField))}
      ${group("page setup-rules", {}, offer.settings.map(ruleField))}
    </div>
  `;
};
