// Starts a game: presets and the current set-up, each with one tap, and below them the form for anything else. It must
// not know a game's rules.

import { drawOnChange, el, html, icon, MAIN, textField, tool } from "../../html.js";
import { storeReloadNote } from "../../storage.js";
import { drawForm, gameOffer, inputsFor, playerNames, toSetUp, validateRules } from "./form.js";

const NAME_ATTRIBUTES = { maxlength: 40, "data-preset-name": "" };
const S_PER_MIN = 60;
const LIMIT = "time_limit_s";

/** Summarizes a set-up: the game and edition if there are several, players, time limit, names. */
const summary = ({ say }, setUp, games) => {
  const game = games.find((each) => each.game === setUp.game);
  const edition = say(`page edition-${setUp.edition}`);
  return [
    games.length > 1 ? (game?.title ?? setUp.game) : "",
    (game?.editions.length ?? 0) > 1
      ? say("page setup-summary", { players: setUp.players, edition })
      : say("page setup-summary-players", { players: setUp.players }),
    LIMIT in setUp.settings ? say("page setup-limit", { minutes: setUp.settings[LIMIT] / S_PER_MIN }) : "",
    setUp.names.filter((name) => name !== "").join(", "),
  ]
    .filter((part) => part !== "")
    .join(" · ");
};

/** Makes the view for `page`: `{element, opened}`. */
export const makeSetup = (page) => {
  const { store, words } = page;
  const { say } = words;
  const element = el("div", { class: "stack setup" });
  let inputs = null;
  let isChanged = false;
  let shownOptions = "";
  let trouble = "";
  let presetName = "";

  const draw = drawOnChange(element, page, ["setup", "decks", "turn"], () => view());
  const setup = () => store.get("setup");
  const offer = () => gameOffer(setup(), inputs.game);
  const decks = () =>
    (store.get("decks")?.decks ?? [])
      .filter((deck) => deck.game === inputs.game)
      .map(({ name, kinds }) => ({ name, missing: kinds.reduce((sum, { missing }) => sum + missing.length, 0) }));
  const fillForm = (setUp) => {
    inputs = inputsFor(gameOffer(setup(), setUp.game), setUp);
  };
  const changeInputs = (changes) => {
    isChanged = true;
    inputs = { ...inputs, ...changes };
    draw();
  };
  const chooseGame = (name) => {
    const { usually } = gameOffer(setup(), name);
    isChanged = true;
    fillForm({ ...usually, names: inputs.names, players: Math.min(inputs.players, usually.players) });
    draw();
  };

  /** Shows the failure, or the sentence. Returns whether the request succeeded. */
  const showAnswer = (answer, sentence) => {
    trouble = answer.ok ? "" : answer.why;
    draw();
    if (answer.ok) {
      page.showNote(answer.waits ?? sentence);
    }
    return answer.ok;
  };

  const isRunning = () => {
    const turn = store.get("turn");
    return turn !== undefined && turn.seat !== null && !turn.over;
  };

  /** Starts a game by a request, after a question if one is running. */
  const start = async (message) => {
    const isConfirmed =
      !isRunning() ||
      (await page.confirm({
        asks: "new-game",
        title: say("page setup-running"),
        more: say("page setup-running-more"),
        yes: say("page setup-new"),
        no: say("page setup-play-on"),
      }));
    if (!isConfirmed) {
      return;
    }
    // With another game the page reloads itself, maybe before this answer arrives.
    const isOther = (message.game || page.about.game) !== page.about.game;
    storeReloadNote(isOther ? say("page setup-began") : "");
    const answer = await page.ask(message);
    if (!answer.ok || answer.waits) {
      storeReloadNote("");
    }
    if (showAnswer(answer, say("page setup-began"))) {
      isChanged = false;
      page.views.go("table");
    }
  };
  const validate = () => {
    const isValid = validateRules(offer(), inputs);
    trouble = isValid ? "" : say("page setup-wrong");
    draw();
    return isValid;
  };
  const begin = () => validate() && start({ do: "set-up", ...toSetUp(offer(), inputs) });
  const rename = async () => {
    // The form may be set to another number of players. Only the current seats are renamed; the others keep their
    // names.
    const typedNames = playerNames(inputs);
    const names = setup().game_options.names.map((name, at) => typedNames[at] ?? name);
    showAnswer(await page.ask({ do: "name-players", names }), say("page setup-named"));
  };
  const presetField = () => document.getElementById("setup-preset-name");
  const save = async () => {
    if (!validate()) {
      return;
    }
    const name = presetName.trim();
    const answer = await page.ask({ do: "save-preset", name, ...toSetUp(offer(), inputs) });
    if (showAnswer(answer, say("page setup-saved", { name }))) {
      presetName = "";
      draw();
    } else {
      presetField().focus();
    }
  };
  const deletePreset = async (name) => {
    const isConfirmed = await page.confirm({
      asks: "delete-preset",
      title: say("page setup-delete-ask", { name }),
      yes: say("page setup-delete", { name }),
    });
    if (isConfirmed && showAnswer(await page.ask({ do: "delete-preset", name }), say("page setup-deleted", { name }))) {
      (element.querySelector("[data-presets] button") ?? presetField()).focus();
    }
  };
  const adjust = (name, setUp) => {
    fillForm(setUp);
    isChanged = true;
    presetName = name;
    draw();
    page.showNote(say("page setup-adjusting", { name }));
    element.querySelector("[data-form] button").focus();
  };

  const startButton = (attributes, title, more, onClick) => html`
    <button class="press-box preset-start" type="button" onClick=${onClick} ...${attributes}>
      ${icon("turn")}
      <span class="heading anywhere">${title}</span>
      <span class="soft small anywhere">${more}</span>
    </button>
  `;
  const iconButton = (hook, iconName, name, onClick, disabled = false) => {
    const label = say(`page setup-${hook}`, { name });
    return html`
      <button class="tool" type="button" title=${label} aria-label=${label} disabled=${disabled} onClick=${onClick}
        ...${{ [`data-${hook}`]: name }}>
        ${icon(iconName)}
      </button>
    `;
  };
  const drawPreset = ({ name, fits, ...setUp }) => {
    const more = fits ? summary(words, setUp, setup().games) : say("page setup-unfit");
    return html`
      <div class="preset" key=${name}>
        ${startButton({ "data-preset": name, disabled: !fits }, name, more, () => start({ do: "set-up", ...setUp }))}
        ${iconButton("adjust", "setup", name, () => adjust(name, setUp), !fits)}
        ${iconButton("delete", "no", name, () => deletePreset(name))}
      </div>
    `;
  };

  const setPresetName = (text) => (presetName = text);
  const view = () => {
    const part = setup();
    if (part === undefined) {
      return null;
    }
    const options = JSON.stringify(part.game_options);
    if (inputs === null || (!isChanged && options !== shownOptions)) {
      shownOptions = options;
      fillForm(part.game_options);
    }
    const again = summary(words, part.game_options, part.games);
    return html`
      <section class="stack">
        <h3 class="heading">${say("page setup-presets")}</h3>
        <div class="stack presets" data-presets>
          ${startButton({ "data-do": "new-game" }, say("page setup-again"), again, () => start({ do: "new-game" }))}
          ${part.presets.map(drawPreset)}
        </div>
      </section>
      <section class="stack setup-form" data-form="setup">
        <h3 class="heading">${say("page setup-form")}</h3>
        ${drawForm(words, part, inputs, decks(), changeInputs, chooseGame)}
        <div class="cluster fields setup-keep">
          ${textField("setup-preset-name", say("page setup-preset-name"), presetName, setPresetName, NAME_ATTRIBUTES)}
          ${tool("save-preset", say("page setup-save"), save)}
        </div>
        <div class="stack gap-s setup-foot">
          <p class="remark" data-mood="bad" role="alert" data-trouble>${trouble}</p>
          <div class="tiles setup-actions">
            ${tool("set-up", say("page setup-start"), begin, MAIN)}
            ${tool("name-players", say("page setup-rename"), rename)}
          </div>
        </div>
      </section>
    `;
  };
  /** Removes an old error message, which may be in another language. */
  const clearTrouble = () => {
    trouble = "";
    draw();
  };
  words.onChange(clearTrouble);
  return { element, opened: clearTrouble };
};
