// The tab shown after a game: the course of the scores, each player's best turn, and what can be done next. It must not
// know the game's rules.

import { draw, el, html, MAIN, tool } from "./html.js";
import { badge, makeTeamNames } from "./names.js";
import { makeCourse } from "./views/games/game.js";

const TAB = "ending";

/**
 * Adds a tab that exists while a game is over. It opens when the game ends, unless somebody has opened another
 * meanwhile.
 */
export const makeEnding = (page) => {
  const { store, live, words, slots } = page;
  const course = makeCourse(words);
  const head = el("div", { class: "root" });
  slots.tabs.add(TAB, "page tab-ending", el("div", { class: "stack", data: { ending: "" } }, head, course.element));
  slots.tabs.setVisible(TAB, false);
  let game = null;
  let requestedId = null; // id of the game that was requested
  let openedCount = 0; // how often a tab was opened
  slots.tabs.onShow(() => {
    openedCount += 1;
  });

  const startNewGame = () => page.askAndReport({ do: "new-game" });
  const player = (teams, gain, seat) => {
    const facts = { gain, unit: words.say(`unit ${game.teams[0].unit}`) };
    return html`
      <li class="cluster gap-xs" key=${seat}>
        ${badge(seat)}<strong>${teams.player(seat)}</strong>
        ${gain !== null && html`<span class="soft">${words.say("page best-turn", facts)}</span>`}
      </li>
    `;
  };
  const show = () => {
    if (game === null) {
      return;
    }
    const teams = makeTeamNames(words, game.names);
    const gains = game.figures.find(({ key }) => key === "best-turn").values;
    const seats = [...game.teams].sort((one, other) => one.place - other.place).flatMap((team) => team.seats);
    draw(
      head,
      html`
        <p class="strong">${game.end}</p>
        <ol class="stack gap-xs" data-best>${seats.map((seat) => player(teams, gains[seat - 1], seat))}</ol>
        <p class="cluster">
          ${tool("again", words.say("page again"), startNewGame, MAIN)}
          <a class="tool" href=${`#games/${game.id}`}>${words.say("page see-how")}</a>
        </p>
      `,
    );
    course.show(game, teams);
  };

  const loadEnding = async (id) => {
    const [isNew, before] = [id !== game?.id, openedCount];
    const answer = await live.ask({ do: "game", id });
    if (!answer.ok || answer.game.steps === 0 || !store.get("turn")?.over) {
      requestedId = null;
      return;
    }
    ({ game } = answer);
    show();
    slots.tabs.setVisible(TAB, true);
    if (isNew && openedCount === before) {
      slots.tabs.show(TAB);
    }
  };
  const update = () => {
    const over = store.get("turn")?.over === true;
    const id = store.get("course")?.id;
    if (over && id !== undefined && id !== requestedId) {
      requestedId = id;
      loadEnding(id);
    } else if (!over && game !== null) {
      game = requestedId = null;
      slots.tabs.setVisible(TAB, false);
    }
  };
  ["turn", "course"].forEach((part) => store.on(part, update));
  words.onChange(() => game !== null && loadEnding(game.id));
};
