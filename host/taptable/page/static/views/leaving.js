// A player who leaves: from which seat, and whether a teammate plays it on or it is taken out of the game. It must not
// know what becomes of the cards.

import { html, tool } from "../html.js";
import { remedy } from "./remedies.js";

/** The step as `{view, begin}`; `ask` asks the table, `draw` draws it. */
export const makeLeaving = (page, ask, draw) => {
  const { store, words, views, names } = page;
  const { say } = words;
  let leaver = null;

  /** Why the player of a seat can't leave the game; null: can. */
  const whyNot = (seat) => store.get("possible")?.leaving[seat - 1] ?? null;
  const matesOf = (seat) =>
    (store.get("table")?.teams.find((team) => team.includes(seat)) ?? []).filter(
      (mate) => mate !== seat && whyNot(mate) === null,
    );

  const takeOut = async () => {
    const yes = await page.confirm({
      title: say("page correct-leave-sure", { seat: names.seat(leaver) }),
      more: say("page correct-leave-out-more"),
      yes: say("page correct-leave-out"),
      no: say("page correct-no"),
    });
    if (yes && (await ask({ do: "vacate", seat: leaver })).ok) {
      views.go("correct");
    }
  };

  /** The seat is called after who plays it now; at the table nothing else changes. */
  const playOn = async (mate) => {
    const called = names.of(mate);
    if (called !== "" && names.of(leaver) !== called) {
      const others = store.get("names").map((name, at) => (at === leaver - 1 ? called : name));
      if (!(await ask({ do: "name-players", names: others })).ok) {
        return;
      }
    }
    page.say(say("page correct-leave-noted", { mate: names.seat(mate), seat: names.seat(leaver) }));
    views.go("correct");
  };

  const choose = (seat) => {
    leaver = seat;
    draw();
    document.querySelector(`[data-step="leave"] ${seat === null ? "h3" : "[data-ways] button"}`).focus();
  };

  const seatButton = (_, at) => {
    const seat = at + 1;
    const why = whyNot(seat);
    return html`
      <li key=${seat}>
        <button class="tool leaver" type="button" data-leaver=${seat} aria-disabled=${why === null ? null : "true"}
          onClick=${() => (why === null ? choose(seat) : page.say(why, "bad"))}>
          ${names.seat(seat)}
        </button>
        <p class="remedy-why">${why ?? ""}</p>
      </li>
    `;
  };
  const mateWay = (mate) =>
    remedy(page, {
      name: `mate-${mate}`,
      label: say("page correct-leave-mate", { mate: names.seat(mate) }),
      more: say("page correct-leave-mate-more"),
      signName: "swap",
      why: null,
      choose: () => playOn(mate),
    });
  const outWay = () =>
    remedy(page, {
      name: "out",
      label: say("page correct-leave-out"),
      more: say("page correct-leave-out-more"),
      signName: "leave",
      why: whyNot(leaver),
      choose: takeOut,
    });

  const drawWho = () => html`
    <p>${say("page correct-leave-who")}</p>
    <ul class="stack gap-s">${(store.get("possible")?.leaving ?? []).map(seatButton)}</ul>
  `;
  const drawHow = (mates) => html`
    <p>${say("page correct-leave-how", { seat: names.seat(leaver) })}</p>
    <ul class="stack remedies" data-ways>${mates.map(mateWay)} ${outWay()}</ul>
    ${mates.length === 0 && html`<p class="step-note">${say("page correct-leave-alone")}</p>`}
    ${tool("other-seat", say("page correct-leave-other"), () => choose(null))}
  `;
  return {
    begin: () => choose(null),
    view: () => html`
      <section class="stack step" data-step="leave">
        <a class="tool back" href="#correct">${say("page correct-back")}</a>
        <h3 class="heading" tabindex="-1">${say("page correct-vacate")}</h3>
        ${leaver === null ? drawWho() : drawHow(matesOf(leaver))}
      </section>
    `,
  };
};
