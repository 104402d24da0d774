// The games that were played: the list or one game, by the address: `#games`, `#games/12`, `#games/12/replay/57`. It
// must not know how a game is drawn.

import { draw, el, html, icon, tool } from "../../html.js";
import { formatStart, gameFacts, makeTeamNames } from "../../names.js";
import { makeGame } from "./game.js";

const LAST = "last";

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeGames = (page) => {
  const { live, store, words } = page;
  const { say } = words;
  let shownPath = null;
  let requestCount = 0;
  let listed = [];
  let aside = "";
  let hasMore = false;

  /** Sends a request once the table answers. Returns null if another request was made meanwhile. */
  const ask = (message) => {
    requestCount += 1;
    const request = requestCount;
    return live.askWhenConnected(message, () => request === requestCount);
  };

  const status = el("p", { role: "status", data: { status: "" } });
  const all = el("div", { class: "stack", hidden: true });
  const back = el("div", { class: "root" });
  const game = makeGame(page, (wanted) => loadGame(wanted));
  const one = el("div", { class: "stack", hidden: true }, back, game.element);
  const element = el("div", { class: "stack games" }, status, all, one);

  /** Sends a request with a loading message; a failure is shown. Returns the answer, or null. */
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

  const item = (game) => {
    const teams = makeTeamNames(words, game.names);
    const named = game.names.filter((name) => name !== "").join(", ");
    const winnerText = game.winner && say("page game-won", { who: teams.name(game.winner) });
    const ending = game.running ? say("page game-running") : (winnerText ?? say("page game-unfinished"));
    return html`
      <li key=${game.id}>
        <a class="press-box stack gap-none games-item" href=${`#games/${game.id}`} data-game=${game.id}
          data-running=${Boolean(game.running)}>
          <span class="cluster baseline apart games-title">
            <strong>${say("page game-number", { id: game.id })}</strong>
            <span class="soft small">${formatStart(words, game.begun_utc)}</span>
          </span>
          ${named !== "" && html`<span>${named}</span>`}
          <span class="soft small">${gameFacts(words, game, { short: true }).join(" · ")}</span>
          ${game.trouble === null
            ? html`<span class="games-end">${game.winner && icon("laurel", "icon laurel")}${ending}</span>`
            : html`<span class="games-trouble">${icon("bolt")}${game.trouble}</span>`}
        </a>
      </li>
    `;
  };
  const drawList = () =>
    draw(
      all,
      html`
        <ul class="tiles games-list" data-games>${listed.map(item)}</ul>
        ${hasMore && tool("more", say("page games-more"), () => loadList(listed.at(-1).id), { class: "tool games-more" })}
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
    ({ aside, more: hasMore } = answer);
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
    draw(back, html`<a class="tool games-more" href="#games">${icon("back")}<span>${say("page games-back")}</span></a>`);
    one.hidden = false;
    game.element.hidden = !answer.ok;
    if (answer.ok) {
      game.show(answer.game, wanted);
    }
  };

  const open = (rest) => {
    const [id, tab = null, step = null] = rest.split("/");
    const pathBefore = shownPath;
    shownPath = rest;
    if (id === "") {
      one.hidden = true;
      game.close();
      drawList();
      all.hidden = listed.length === 0;
      loadList(null).then(() => {
        if (pathBefore !== null && pathBefore !== "" && shownPath === "") {
          all.querySelector(`[data-game="${pathBefore.split("/")[0]}"]`)?.focus();
        }
      });
      return;
    }
    all.hidden = true;
    const isSameGame = pathBefore !== null && pathBefore.split("/")[0] === id && step !== null;
    loadGame({
      id,
      tab,
      step: step === null ? null : Number(step),
      focus: pathBefore === "" ? "title" : isSameGame ? "step" : null,
    });
  };

  const reload = () => {
    const position = game.position();
    if (position !== null) {
      loadGame(position);
    } else if (shownPath !== null) {
      open(shownPath);
    }
  };
  words.onChange(reload);
  // players were renamed or redacted
  let renamedRevision = null;
  store.on("people", (people) => {
    const before = renamedRevision;
    renamedRevision = people?.renamed ?? renamedRevision;
    if (before !== null && renamedRevision !== before) {
      listed = [];
      reload();
    }
  });

  return {
    element,
    opened: open,
    closed: () => {
      requestCount += 1;
      shownPath = null;
      game.close();
    },
  };
};
