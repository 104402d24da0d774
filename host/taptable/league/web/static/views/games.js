// The league's games: the list, and one game as a table's own page shows and replays it, with what the league knows
// besides. Addresses: `#games`, `#games/12`, `#games/12/replay/57`, and `#games/of/3/online` for one season and game.
// It must not know how a game is drawn.

import { draw, el, html, icon, tool } from "/static/html.js";
import { makeGame } from "/static/views/games/game.js";
import { ALL, drawChoice, makeLoading, parseChoice } from "../data.js";
import { drawGames, drawMember, notCountedReason } from "../lists.js";

const LIST = "of";

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeGames = (page) => {
  const { words, data, league, live, views } = page;
  const { say } = words;
  const { status, load, forget } = makeLoading(page);
  const choice = el("div", { class: "root" });
  const all = el("div", { class: "stack" });
  const about = el("div", { class: "stack gap-s" });
  const game = makeGame(page, (wanted) => loadGame(wanted));
  const one = el("div", { class: "stack", hidden: true }, about, game.element);
  const element = el("div", { class: "stack games" }, choice, status, all, one);
  let chosen = null;
  let listed = [];
  let hasMore = false;
  let shownPath = null;

  const unlessAll = (value) => (value === ALL ? null : value);
  const drawList = () => {
    draw(choice, drawChoice(page, chosen, (rest) => views.go("games", `${LIST}/${rest}`), { all: true }));
    draw(
      all,
      html`
        ${listed.length === 0 && status.textContent === "" && html`<p class="remark" data-mood="info" data-none>${say("page games-none")}</p>`}
        ${drawGames(page, listed)}
        ${hasMore && tool("more", say("page games-more"), () => loadList(listed.at(-1).id), { class: "tool games-more" })}
      `,
    );
  };
  const loadList = async (before) => {
    const query = { season: unlessAll(chosen.season), game: unlessAll(chosen.game), before };
    const answer = await load(() => data.get("games", query));
    if (answer !== null) {
      listed = before === null ? answer.games : [...listed, ...answer.games];
      ({ more: hasMore } = answer);
      drawList();
    }
  };

  const drawAbout = (entry) => {
    const reason = notCountedReason(entry);
    draw(
      about,
      html`
        <a class="tool games-more" href="#games">${icon("back")}<span>${say("page games-back")}</span></a>
        <p class="cluster" data-about>
          <strong>${say(`game ${entry.game}`)}</strong><span>${entry.table_name}</span>
          ${entry.seats.map(({ member }) => drawMember(words, member))}
        </p>
        ${reason !== "" &&
        html`
          <div class="remark stack gap-none" data-mood="warn" data-mark=${reason}>
            <strong>${say(`league ${reason}`)}</strong><span>${say(`league ${reason}-more`)}</span>
            ${entry.why !== "" &&
            html`
              <details class="fold">
                <summary>${say("league details")}</summary><span class="soft small anywhere" lang="en">${entry.why}</span>
              </details>
            `}
          </div>
        `}
        ${entry.clock_wrong && html`<p class="remark" data-mood="info">${say("league clock-wrong")}</p>`}
      `,
    );
  };
  const loadGame = async (position) => {
    const id = Number(position.id);
    const answer = await load(async () => {
      const [facts, course] = await Promise.all([data.get("game", { id }), live.askWhenConnected({ do: "game", id })]);
      return { ...facts, course };
    });
    game.element.hidden = answer?.course.ok !== true;
    if (answer === null) {
      draw(about, html`<a class="tool games-more" href="#games">${icon("back")}<span>${say("page games-back")}</span></a>`);
      return;
    }
    drawAbout(answer);
    if (answer.course.ok) {
      game.show(answer.course.game, position);
    } else {
      status.textContent = answer.course.why;
    }
  };

  const open = (rest) => {
    const pathBefore = shownPath;
    shownPath = rest;
    const [id, ...further] = rest.split("/");
    const isList = id === "" || id === LIST;
    choice.hidden = all.hidden = !isList;
    one.hidden = isList;
    if (isList) {
      game.close();
      chosen =
        further.length === 0 ? { season: ALL, game: ALL } : parseChoice(league, further.join("/"), { all: true });
      drawList();
      loadList(null);
      return;
    }
    const [tab = null, step = null] = further;
    const isSameGame = pathBefore !== null && pathBefore.split("/")[0] === id && step !== null;
    loadGame({ id, tab, step: step === null ? null : Number(step), focus: isSameGame ? "step" : pathBefore === null ? null : "title" });
  };

  words.onChange(() => {
    const position = game.position();
    if (shownPath === null) {
      return;
    }
    if (position !== null) {
      loadGame(position);
    } else {
      open(shownPath);
    }
  });
  return {
    element,
    opened: open,
    closed: () => {
      forget();
      shownPath = null;
      game.close();
    },
  };
};
