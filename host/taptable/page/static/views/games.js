// What was played: the list of games, and one of them, by the address: `#games`, `#games/12`, `#games/12/replay/57`. It
// must not know what is shown of a game.

import { el } from "../elements.js";
import { sign } from "../signs.js";
import { makeGame } from "./game.js";
import { beginning, lengthOf, makeTeams } from "./told.js";

const LAST = "last";

/** The view for `page`: `{element, opened, closed}`. */
export const makeGames = (page) => {
  const { live, store, words } = page;
  const waiting = new Set();
  let shown = null;
  let answered = 0;

  /** The table's answer, as soon as the table is there; null once something else is asked for. */
  const ask = async (message) => {
    answered += 1;
    const mine = answered;
    for (;;) {
      if (!live.connected()) {
        await new Promise((resolve) => waiting.add(resolve));
      } else {
        const answer = await live.ask(message);
        if (mine !== answered) {
          return null;
        }
        if (!answer.gone) {
          return answer;
        }
      }
      if (mine !== answered) {
        return null;
      }
    }
  };
  store.onSettled(() => {
    if (live.connected()) {
      waiting.forEach((resolve) => resolve());
      waiting.clear();
    }
  });

  const status = el("p", { class: "games-status", role: "status", data: { status: "" } });
  const list = el("ul", { class: "games-list", data: { games: "" } });
  const more = el("button", {
    class: "tool games-more",
    type: "button",
    "data-word": "page games-more",
    data: { do: "more" },
  });
  const aside = el("p", { class: "games-aside", data: { aside: "" } });
  const all = el("div", { class: "games-all" }, list, more, aside);
  const back = el(
    "a",
    { class: "tool games-back", href: "#games" },
    sign("back"),
    el("span", { "data-word": "page games-back" }),
  );
  const game = makeGame(page);
  const one = el("div", { class: "games-one" }, back, game.element);
  const element = el("div", { class: "games" }, status, all, one);
  all.hidden = true;
  one.hidden = true;
  let listed = [];

  const wait = (waits) => {
    element.setAttribute("aria-busy", String(waits));
    status.textContent = waits ? words.say("page games-wait") : "";
  };
  const complain = (why) => {
    status.textContent = why;
  };

  const itemOf = (told) => {
    const teams = makeTeams(words, told.names);
    const facts = [
      told.players === undefined ? null : words.say("page game-players", { number: told.players }),
      words.has(`page edition-${told.edition}`) ? words.say(`page edition-${told.edition}`) : null,
      told.length_us === undefined ? null : lengthOf(words, told.length_us),
    ].filter((fact) => fact !== null);
    const named = told.names.filter((name) => name !== "").join(", ");
    const ending = told.running
      ? words.say("page game-running")
      : told.winner
        ? words.say("page game-won", { who: teams.name(told.winner) })
        : words.say("page game-unfinished");
    return el(
      "li",
      {},
      el(
        "a",
        {
          class: "games-item",
          href: `#games/${told.id}`,
          data: { game: String(told.id), running: String(Boolean(told.running)) },
        },
        el(
          "span",
          { class: "games-title" },
          el("strong", {}, words.say("page game-number", { id: told.id })),
          el("span", { class: "games-begun" }, beginning(words, told.begun_utc)),
        ),
        named === "" ? null : el("span", { class: "games-names" }, named),
        el("span", { class: "games-facts" }, facts.join(" · ")),
        told.trouble === null
          ? el("span", { class: "games-end" }, told.winner ? sign("laurel", "sign laurel") : null, ending)
          : el("span", { class: "games-trouble" }, sign("bolt"), told.trouble),
      ),
    );
  };
  const drawList = () => {
    list.replaceChildren(...listed.map(itemOf));
  };

  const loadList = async (before) => {
    wait(true);
    const answer = await ask(before === null ? { do: "games" } : { do: "games", before });
    if (answer === null) {
      return;
    }
    wait(false);
    if (!answer.ok) {
      complain(answer.why);
      return;
    }
    listed = before === null ? answer.games : [...listed, ...answer.games];
    drawList();
    more.hidden = !answer.more;
    aside.textContent = answer.aside;
    all.hidden = false;
    if (listed.length === 0) {
      complain(words.say("page games-none"));
    }
    if (before !== null) {
      list.children[listed.length - answer.games.length]?.querySelector("a").focus();
    }
  };
  more.addEventListener("click", () => loadList(listed[listed.length - 1].id));

  const loadGame = async (wanted) => {
    wait(true);
    const answer = await ask(wanted.id === LAST ? { do: "game" } : { do: "game", id: Number(wanted.id) });
    if (answer === null) {
      return;
    }
    wait(false);
    if (!answer.ok) {
      one.hidden = false;
      game.element.hidden = true;
      complain(answer.why);
      return;
    }
    one.hidden = false;
    game.element.hidden = false;
    game.show(answer.game, wanted);
  };
  game.onRefresh((wanted) => loadGame(wanted));

  const open = (rest) => {
    const [id, tab = null, step = null] = rest.split("/");
    const before = shown;
    shown = rest;
    if (id === "") {
      one.hidden = true;
      game.close();
      drawList();
      all.hidden = listed.length === 0;
      loadList(null).then(() => {
        if (before !== null && before !== "" && shown === "") {
          list.querySelector(`[data-game="${before.split("/")[0]}"]`)?.focus();
        }
      });
      return;
    }
    all.hidden = true;
    const again = before !== null && before.split("/")[0] === id && step !== null;
    loadGame({
      id,
      tab,
      step: step === null ? null : Number(step),
      focus: before === "" ? "title" : again ? "step" : null,
    });
  };

  words.onChange(() => {
    const here = game.here();
    if (here !== null) {
      loadGame(here);
    } else if (shown !== null) {
      open(shown);
    }
  });

  return {
    element,
    opened: open,
    closed: () => {
      answered += 1;
      shown = null;
      game.close();
    },
  };
};
