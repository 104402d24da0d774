// Setting up a game: presets and the game as it is agreed now, each a tap away, and below them the form for anything
// else. It must not know a game's rules.

import { el, setText } from "../elements.js";
import { sign } from "../signs.js";
import { makeForm } from "./setup-form.js";

const LONGEST_NAME = 40;
const S_PER_MIN = 60;
const LIMIT = "time_limit_s";

/** A set-up in a few words: which of several games, how many play, by which of several editions, how long, and who. */
const summary = (words, setUp, games) =>
  [
    games.length > 1 ? (games.find(({ game }) => game === setUp.game)?.title ?? setUp.game) : "",
    (games.find(({ game }) => game === setUp.game)?.editions.length ?? 0) > 1
      ? words.say("page setup-summary", {
          players: setUp.players,
          edition: words.say(`page edition-${setUp.edition}`),
        })
      : words.say("page setup-summary-players", { players: setUp.players }),
    LIMIT in setUp.settings ? words.say("page setup-limit", { minutes: setUp.settings[LIMIT] / S_PER_MIN }) : "",
    setUp.names.filter((name) => name !== "").join(", "),
  ]
    .filter((part) => part !== "")
    .join(" · ");

const makeStart = (properties, title, more) =>
  el(
    "button",
    { class: "preset-start", type: "button", ...properties },
    sign("turn"),
    el("span", { class: "preset-name" }, title),
    el("span", { class: "preset-more" }, more),
  );

/** The view for `page`: `{element, opened}`. */
export const makeSetup = (page) => {
  const { store, words } = page;
  const decks = (game) =>
    (store.get("decks")?.decks ?? [])
      .filter((deck) => deck.game === game)
      .map(({ name, kinds }) => ({ name, missing: kinds.reduce((sum, { missing }) => sum + missing.length, 0) }));
  const form = makeForm({ words, decks });
  const starts = el("div", { class: "presets", data: { presets: "" } });
  const presetName = el("input", {
    id: "setup-preset-name",
    type: "text",
    maxlength: LONGEST_NAME,
    autocomplete: "off",
    data: { presetName: "" },
  });
  const trouble = el("p", { class: "setup-trouble", role: "alert", data: { trouble: "" } });
  const button = (name, wordKey, className = "tool") =>
    el("button", { class: className, type: "button", "data-word": wordKey, data: { do: name } });
  const begin = button("set-up", "page setup-start", "tool tool-main");
  const rename = button("name-players", "page setup-rename");
  const keep = button("save-preset", "page setup-save");
  const heading = (wordKey) => el("h3", { class: "setup-heading", "data-word": wordKey });
  const element = el(
    "div",
    { class: "setup" },
    el("section", {}, heading("page setup-presets"), starts),
    el(
      "section",
      { data: { form: "" } },
      heading("page setup-form"),
      form.element,
      trouble,
      el("div", { class: "setup-deeds" }, begin, rename),
      el(
        "div",
        { class: "setup-keep" },
        el(
          "div",
          { class: "setup-field" },
          el("label", { for: presetName.id, "data-word": "page setup-preset-name" }),
          presetName,
        ),
        keep,
      ),
    ),
  );
  let touched = false;
  let taken = "";
  let drawn = "";

  /** Show what went wrong, or that nothing has. */
  const answered = (answer, sentence) => {
    setText(trouble, answer.ok ? "" : answer.why);
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
        title: words.say("page setup-running"),
        more: words.say("page setup-running-more"),
        yes: words.say("page setup-new"),
        no: words.say("page setup-play-on"),
      }));
    if (goes && answered(await page.ask(message), words.say("page setup-began"))) {
      touched = false;
      page.views.go("table");
    }
  };

  const checked = () => {
    const right = form.check();
    setText(trouble, right ? "" : words.say("page setup-wrong"));
    return right;
  };

  begin.addEventListener("click", () => checked() && start({ do: "set-up", ...form.setUp() }));
  rename.addEventListener("click", async () => {
    // the form may be about a game of other players: those who play now are named, whoever isn't in it stays
    const filled = form.names();
    const names = store.get("setup").agreed.names.map((name, at) => filled[at] ?? name);
    answered(await page.ask({ do: "name-players", names }), words.say("page setup-named"));
  });
  keep.addEventListener("click", async () => {
    if (!checked()) {
      return;
    }
    const name = presetName.value.trim();
    const answer = await page.ask({ do: "save-preset", name, ...form.setUp() });
    if (answered(answer, words.say("page setup-saved", { name }))) {
      presetName.value = "";
    } else {
      presetName.focus();
    }
  });
  form.element.addEventListener("input", () => {
    touched = true;
  });
  form.element.addEventListener("click", (event) => {
    touched ||= event.target.closest("[data-setup-step]") !== null;
  });

  const forget = async (name) => {
    const goes = await page.confirm({
      title: words.say("page setup-delete-ask", { name }),
      yes: words.say("page setup-delete", { name }),
    });
    if (goes && answered(await page.ask({ do: "delete-preset", name }), words.say("page setup-deleted", { name }))) {
      (starts.querySelector("button") ?? presetName).focus();
    }
  };

  const drawPreset = ({ name, fits, ...setUp }) => {
    const more = fits ? summary(words, setUp, store.get("setup").games) : words.say("page setup-unfit");
    const starter = makeStart({ disabled: !fits, data: { preset: name } }, name, more);
    starter.addEventListener("click", () => start({ do: "set-up", ...setUp }));
    const small = (key, signName, does) => {
      const made = el("button", { class: "tool", type: "button", data: { [key]: name } }, sign(signName));
      made.setAttribute("aria-label", words.say(`page setup-${key}`, { name }));
      made.title = made.getAttribute("aria-label");
      made.addEventListener("click", does);
      return made;
    };
    const adjust = small("adjust", "setup", () => {
      form.take(setUp);
      touched = true;
      presetName.value = name;
      page.say(words.say("page setup-adjusting", { name }));
      form.element.querySelector("button").focus();
    });
    adjust.disabled = !fits;
    return el("div", { class: "preset" }, starter, adjust, small("delete", "no", () => forget(name)));
  };

  const drawStarts = (setup) => {
    const titles = setup.games.map(({ title }) => title);
    const now = JSON.stringify([setup.agreed, setup.presets, words.language(), titles]);
    if (now === drawn) {
      return;
    }
    drawn = now;
    const focused = Object.entries(starts.contains(document.activeElement) ? document.activeElement.dataset : {})[0];
    const more = summary(words, setup.agreed, setup.games);
    const again = makeStart({ data: { do: "new-game" } }, words.say("page setup-again"), more);
    again.addEventListener("click", () => start({ do: "new-game" }));
    starts.replaceChildren(again, ...setup.presets.map(drawPreset));
    [...starts.querySelectorAll("button")]
      .find((each) => focused !== undefined && each.dataset[focused[0]] === focused[1])
      ?.focus();
  };

  const draw = () => {
    const setup = store.get("setup");
    if (setup === undefined) {
      return;
    }
    form.offer(setup);
    const agreed = JSON.stringify(setup.agreed);
    if (!touched && agreed !== taken) {
      taken = agreed;
      form.take(setup.agreed);
    }
    drawStarts(setup);
    words.fill(element);
  };
  // what went wrong was said in another language
  words.onChange(() => setText(trouble, ""));
  store.on("setup", draw);
  store.on("decks", draw);

  return {
    element,
    opened: () => {
      setText(trouble, "");
    },
  };
};
