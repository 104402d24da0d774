// What was played in the league: the list, and one game as a table's own page tells and replays it, with what the
// league knows besides. By the address: `#games`, `#games/12`, `#games/12/replay/57`; a season and a game narrow the
// list down: `#games/of/3/online`. It must not know what is shown of a game.

import { draw, el, html, sign, tool } from "/static/html.js";
import { makeGame } from "/static/views/games/game.js";
import { ALL, chosenIn, drawChoice, makeLoading } from "../data.js";
import { drawGames, markOf, person } from "../lists.js";

const OF = "of";

/** The view for `page`: `{element, opened, closed}`. */
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
  let more = false;
  let shown = null;

  const only = (value) => (value === ALL ? null : value);
  const drawList = () => {
    draw(choice, drawChoice(page, chosen, (rest) => views.go("games", `${OF}/${rest}`), { all: true }));
    draw(
      all,
      html`
        ${listed.length === 0 && status.textContent === "" && html`<p class="remark" data-mood="info" data-none>${say("page games-none")}</p>`}
        ${drawGames(page, listed)}
        ${more && tool("more", say("page games-more"), () => loadList(listed.at(-1).id), { class: "tool games-more" })}
      `,
    );
  };
  const loadList = async (before) => {
    const wanted = { season: only(chosen.season), game: only(chosen.game), before };
    const answer = await load(() => data.get("games", wanted));
    if (answer !== null) {
      listed = before === null ? answer.games : [...listed, ...answer.games];
      ({ more } = answer);
      drawList();
    }
  };

  const drawAbout = (told) => {
    const why = markOf(told);
    draw(
      about,
      html`
        <a class="tool games-more" href="#games">${sign("back")}<span>${say("page games-back")}</span></a>
        <p class="cluster" data-about>
          <strong>${say(`game ${told.game}`)}</strong><span>${told.table_name}</span>
          ${told.seats.map(({ member }) => person(words, member))}
        </p>
        ${why !== "" &&
        html`
          <div class="remark stack gap-none" data-mood="warn" data-mark=${why}>
            <strong>${say(`league ${why}`)}</strong><span>${say(`league ${why}-more`)}</span>
            ${told.why !== "" &&
            html`
              <details class="fold">
                <summary>${say("league details")}</summary><span class="soft small anywhere" lang="en">${told.why}</span>
              </details>
            `}
          </div>
        `}
        ${told.clock_wrong && html`<p class="remark" data-mood="info">${say("league clock-wrong")}</p>`}
      `,
    );
  };
  const loadGame = async (wanted) => {
    const id = Number(wanted.id);
    const answer = await load(async () => {
      const [told, course] = await Promise.all([data.get("game", { id }), live.askOnceThere({ do: "game", id })]);
      return { ...told, course };
    });
    game.element.hidden = answer?.course.ok !== true;
    if (answer === null) {
      draw(about, html`<a class="tool games-more" href="#games">${sign("back")}<span>${say("page games-back")}</span></a>`);
      return;
    }
    drawAbout(answer);
    if (answer.course.ok) {
      game.show(answer.course.game, wanted);
    } else {
      status.textContent = answer.course.why;
    }
  };

  const open = (rest) => {
    const before = shown;
    shown = rest;
    const [id, ...further] = rest.split("/");
    const isList = id === "" || id === OF;
    choice.hidden = all.hidden = !isList;
    one.hidden = isList;
    if (isList) {
      game.close();
      chosen = further.length === 0 ? { season: ALL, game: ALL } : chosenIn(league, further.join("/"), { all: true });
      drawList();
      loadList(null);
      return;
    }
    const [tab = null, step = null] = further;
    const again = before !== null && before.split("/")[0] === id && step !== null;
    loadGame({ id, tab, step: step === null ? null : Number(step), focus: again ? "step" : before === null ? null : "title" });
  };

  words.onChange(() => {
    const here = game.here();
    if (shown === null) {
      return;
    }
    if (here !== null) {
      loadGame(here);
    } else {
      open(shown);
    }
  });
  return {
    element,
    opened: open,
    closed: () => {
      forget();
      shown = null;
      game.close();
    },
  };
};
