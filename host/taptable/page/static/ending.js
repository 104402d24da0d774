// The end of a game, beside the table: how the scores went, each player's best turn, and the way on. It must not know
// the game's rules.

import { draw, el, html, MAIN, tool } from "./html.js";
import { badge, makeTeams } from "./names.js";
import { makeCourse } from "./views/games/game.js";

const TAB = "ending";

/** A tab that is there while a game is over, and comes to the front when it ends, unless somebody opens one meanwhile. */
export const makeEnding = (page) => {
  const { store, live, words, slots } = page;
  const course = makeCourse(words);
  const head = el("div", { class: "root" });
  slots.tabs.add(TAB, "page tab-ending", el("div", { class: "stack", data: { ending: "" } }, head, course.element));
  slots.tabs.offer(TAB, false);
  let game = null;
  let asked = null; // the game that was asked for, by its id
  let opened = 0; // how often a tab was
  slots.tabs.onShow(() => {
    opened += 1;
  });

  const again = () => page.does({ do: "new-game" });
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
    const teams = makeTeams(words, game.names);
    const gains = game.figures.find(({ key }) => key === "best-turn").values;
    const seats = [...game.teams].sort((one, other) => one.place - other.place).flatMap((team) => team.seats);
    draw(
      head,
      html`
        <p class="strong">${game.end}</p>
        <ol class="stack gap-xs" data-best>${seats.map((seat) => player(teams, gains[seat - 1], seat))}</ol>
        <p class="cluster">
          ${tool("again", words.say("page again"), again, MAIN)}
          <a class="tool" href=${`#games/${game.id}`}>${words.say("page see-how")}</a>
        </p>
      `,
    );
    course.show(game, teams);
  };

  const ended = async (id) => {
    const [isNew, before] = [id !== game?.id, opened];
    const told = await live.ask({ do: "game", id });
    if (!told.ok || told.game.steps === 0 || !store.get("turn")?.over) {
      asked = null;
      return;
    }
    ({ game } = told);
    show();
    slots.tabs.offer(TAB, true);
    if (isNew && opened === before) {
      slots.tabs.show(TAB);
    }
  };
  const look = () => {
    const over = store.get("turn")?.over === true;
    const id = store.get("course")?.id;
    if (over && id !== undefined && id !== asked) {
      asked = id;
      ended(id);
    } else if (!over && game !== null) {
      game = asked = null;
      slots.tabs.offer(TAB, false);
    }
  };
  ["turn", "course"].forEach((part) => store.on(part, look));
  words.onChange(() => game !== null && ended(game.id));
};
