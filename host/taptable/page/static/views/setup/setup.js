// Setting up a game: presets and the game as it is agreed now, each a tap away, and below them the form for anything
// else. It must not know a game's rules.

import { el, html, keep, MAIN, sign, textField, tool } from "../../html.js";
import { keepForReload } from "../../storage.js";
import { drawForm, filledWith, isRight, namesOf, offeredOf, setUpOf } from "./form.js";

const OF_NAME = { maxlength: 40, "data-preset-name": "" };
const S_PER_MIN = 60;
const LIMIT = "time_limit_s";

/** A set-up in a few words: which of several games, how many play, by which of several editions, how long, and who. */
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

/** The view for `page`: `{element, opened}`. */
export const makeSetup = (page) => {
  const { store, words } = page;
  const { say } = words;
  const element = el("div", { class: "stack setup" });
  let filled = null;
  let touched = false;
  let taken = "";
  let trouble = "";
  let presetName = "";

  const draw = keep(element, page, ["setup", "decks", "turn"], () => view());
  const setup = () => store.get("setup");
  const offered = () => offeredOf(setup(), filled.game);
  const decks = () =>
    (store.get("decks")?.decks ?? [])
      .filter((deck) => deck.game === filled.game)
      .map(({ name, kinds }) => ({ name, missing: kinds.reduce((sum, { missing }) => sum + missing.length, 0) }));
  const take = (setUp) => {
    filled = filledWith(offeredOf(setup(), setUp.game), setUp);
  };
  const change = (news) => {
    touched = true;
    filled = { ...filled, ...news };
    draw();
  };
  const choose = (name) => {
    const { usually } = offeredOf(setup(), name);
    touched = true;
    take({ ...usually, names: filled.names, players: Math.min(filled.players, usually.players) });
    draw();
  };

  /** Show what went wrong, or that nothing has. */
  const answered = (answer, sentence) => {
    trouble = answer.ok ? "" : answer.why;
    draw();
    if (answer.ok) {
      page.say(answer.waits ?? sentence);
    }
    return answer.ok;
  };

  const isRunning = () => {
    const turn = store.get("turn");
    return turn !== undefined && turn.seat !== null && !turn.over;
  };

  /** Begin a game by a message, after a question where one is being played. */
  const start = async (message) => {
    const goes =
      !isRunning() ||
      (await page.confirm({
        asks: "new-game",
        title: say("page setup-running"),
        more: say("page setup-running-more"),
        yes: say("page setup-new"),
        no: say("page setup-play-on"),
      }));
    if (!goes) {
      return;
    }
    // with another game the page loads itself again, which may be before the answer is here
    const isOther = (message.game || page.about.game) !== page.about.game;
    keepForReload(isOther ? say("page setup-began") : "");
    const answer = await page.ask(message);
    if (!answer.ok || answer.waits) {
      keepForReload("");
    }
    if (answered(answer, say("page setup-began"))) {
      touched = false;
      page.views.go("table");
    }
  };
  const checked = () => {
    const right = isRight(offered(), filled);
    trouble = right ? "" : say("page setup-wrong");
    draw();
    return right;
  };
  const begin = () => checked() && start({ do: "set-up", ...setUpOf(offered(), filled) });
  const rename = async () => {
    // the form may be about a game of other players: those who play now are named, whoever isn't in it stays
    const called = namesOf(filled);
    const names = setup().game_options.names.map((name, at) => called[at] ?? name);
    answered(await page.ask({ do: "name-players", names }), say("page setup-named"));
  };
  const preset = () => document.getElementById("setup-preset-name");
  const save = async () => {
    if (!checked()) {
      return;
    }
    const name = presetName.trim();
    const answer = await page.ask({ do: "save-preset", name, ...setUpOf(offered(), filled) });
    if (answered(answer, say("page setup-saved", { name }))) {
      presetName = "";
      draw();
    } else {
      preset().focus();
    }
  };
  const forget = async (name) => {
    const goes = await page.confirm({
      asks: "delete-preset",
      title: say("page setup-delete-ask", { name }),
      yes: say("page setup-delete", { name }),
    });
    if (goes && answered(await page.ask({ do: "delete-preset", name }), say("page setup-deleted", { name }))) {
      (element.querySelector("[data-presets] button") ?? preset()).focus();
    }
  };
  const adjust = (name, setUp) => {
    take(setUp);
    touched = true;
    presetName = name;
    draw();
    page.say(say("page setup-adjusting", { name }));
    element.querySelector("[data-form] button").focus();
  };

  const starter = (of, title, more, onClick) => html`
    <button class="press-box preset-start" type="button" onClick=${onClick} ...${of}>
      ${sign("turn")}
      <span class="heading anywhere">${title}</span>
      <span class="soft small anywhere">${more}</span>
    </button>
  `;
  const small = (hook, signName, name, does, disabled = false) => {
    const label = say(`page setup-${hook}`, { name });
    return html`
      <button class="tool" type="button" title=${label} aria-label=${label} disabled=${disabled} onClick=${does}
        ...${{ [`data-${hook}`]: name }}>
        ${sign(signName)}
      </button>
    `;
  };
  const drawPreset = ({ name, fits, ...setUp }) => {
    const more = fits ? summary(words, setUp, setup().games) : say("page setup-unfit");
    return html`
      <div class="preset" key=${name}>
        ${starter({ "data-preset": name, disabled: !fits }, name, more, () => start({ do: "set-up", ...setUp }))}
        ${small("adjust", "setup", name, () => adjust(name, setUp), !fits)}
        ${small("delete", "no", name, () => forget(name))}
      </div>
    `;
  };

  const nameIt = (text) => (presetName = text);
  const view = () => {
    const told = setup();
    if (told === undefined) {
      return null;
    }
    const options = JSON.stringify(told.game_options);
    if (filled === null || (!touched && options !== taken)) {
      taken = options;
      take(told.game_options);
    }
    const again = summary(words, told.game_options, told.games);
    return html`
      <section class="stack">
        <h3 class="heading">${say("page setup-presets")}</h3>
        <div class="stack presets" data-presets>
          ${starter({ "data-do": "new-game" }, say("page setup-again"), again, () => start({ do: "new-game" }))}
          ${told.presets.map(drawPreset)}
        </div>
      </section>
      <section class="stack setup-form" data-form="setup">
        <h3 class="heading">${say("page setup-form")}</h3>
        ${drawForm(words, told, filled, decks(), change, choose)}
        <div class="cluster fields setup-keep">
          ${textField("setup-preset-name", say("page setup-preset-name"), presetName, nameIt, OF_NAME)}
          ${tool("save-preset", say("page setup-save"), save)}
        </div>
        <div class="stack gap-s setup-foot">
          <p class="remark" data-mood="bad" role="alert" data-trouble>${trouble}</p>
          <div class="tiles setup-does">
            ${tool("set-up", say("page setup-start"), begin, MAIN)}
            ${tool("name-players", say("page setup-rename"), rename)}
          </div>
        </div>
      </section>
    `;
  };
  /** What went wrong was said at another time, or in another language. */
  const quiet = () => {
    trouble = "";
    draw();
  };
  words.onChange(quiet);
  return { element, opened: quiet };
};
