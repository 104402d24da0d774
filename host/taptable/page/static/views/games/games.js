// What was played: the list of games, and one of them, by the address: `#games`, `#games/12`, `#games/12/replay/57`. It
// must not know what is shown of a game.

import { draw, el, html, sign, tool } from "../../html.js";
import { beginning, factsOf, makeTeams } from "../../names.js";
import { makeGame } from "./game.js";

const LAST = "last";

/** The view for `page`: `{element, opened, closed}`. */
export const makeGames = (page) => {
  const { live, store, words } = page;
  const { say } = words;
  let shown = null;
  let answered = 0;
  let listed = [];
  let aside = "";
  let more = false;

  /** The table's answer, as soon as the table is there; null once something else is asked for. */
  const ask = (message) => {
    answered += 1;
    const mine = answered;
    return live.askOnceThere(message, () => mine === answered);
  };

  const status = el("p", { role: "status", data: { status: "" } });
  const all = el("div", { class: "stack", hidden: true });
  const back = el("div", { class: "root" });
  const game = makeGame(page, (wanted) => loadGame(wanted));
  const one = el("div", { class: "stack", hidden: true }, back, game.element);
  const element = el("div", { class: "stack games" }, status, all, one);

  /** Ask, and say that it takes its time; the answer if there is one, after it was said why not. */
  const load = async (message) => {
    element.setAttribute("aria-busy", "true");
    status.textContent = say("page games-wait");
    const answer = await ask(message);
    if (answer !== null) {
      element.setAttribute("aria-busy", "false");
      status.textContent = answer.ok ? "" : answer.why;
    }
    return answer;
  };

  const item = (told) => {
    const teams = makeTeams(words, told.names);
    const named = told.names.filter((name) => name !== "").join(", ");
    const won = told.winner && say("page game-won", { who: teams.name(told.winner) });
    const ending = told.running ? say("page game-running") : (won ?? say("page game-unfinished"));
    return html`
      <li key=${told.id}>
        <a class="press-box stack gap-none games-item" href=${`#games/${told.id}`} data-game=${told.id}
          data-running=${Boolean(told.running)}>
          <span class="cluster baseline apart games-title">
            <strong>${say("page game-number", { id: told.id })}</strong>
            <span class="soft small">${beginning(words, told.begun_utc)}</span>
          </span>
          ${named !== "" && html`<span>${named}</span>`}
          <span class="soft small">${factsOf(words, told, { short: true }).join(" · ")}</span>
          ${told.trouble === null
            ? html`<span class="games-end">${told.winner && sign("laurel", "sign laurel")}${ending}</span>`
            : html`<span class="games-trouble">${sign("bolt")}${told.trouble}</span>`}
        </a>
      </li>
    `;
  };
  const drawList = () =>
    draw(
      all,
      html`
        <ul class="tiles games-list" data-games>${listed.map(item)}</ul>
        ${more && tool("more", say("page games-more"), () => loadList(listed.at(-1).id), { class: "tool games-more" })}
        <p data-aside>${aside}</p>
      `,
    );

  const loadList = async (before) => {
    const answer = await load(before === null ? { do: "games" } : { do: "games", before });
    if (!answer?.ok) {
      return;
    }
    const known = before === null ? [] : listed;
    listed = [...known, ...answer.games];
    ({ aside, more } = answer);
    drawList();
    all.hidden = false;
    if (listed.length === 0) {
      status.textContent = say("page games-none");
    }
    if (before !== null) {
      all.querySelectorAll("[data-game]")[known.length]?.focus();
    }
  };

  const loadGame = async (wanted) => {
    const answer = await load(wanted.id === LAST ? { do: "game" } : { do: "game", id: Number(wanted.id) });
    if (answer === null) {
      return;
    }
    draw(back, html`<a class="tool games-more" href="#games">${sign("back")}<span>${say("page games-back")}</span></a>`);
    one.hidden = false;
    game.element.hidden = !answer.ok;
    if (answer.ok) {
      game.show(answer.game, wanted);
    }
  };

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
          all.querySelector(`[data-game="${before.split("/")[0]}"]`)?.focus();
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

  const again = () => {
    const here = game.here();
    if (here !== null) {
      loadGame(here);
    } else if (shown !== null) {
      open(shown);
    }
  };
  words.onChange(again);
  // players are called otherwise, or not known any more
  let renamed = null;
  store.on("people", (people) => {
    const before = renamed;
    renamed = people?.renamed ?? renamed;
    if (before !== null && renamed !== before) {
      listed = [];
      again();
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
