// A player who leaves: from which seat, and whether a teammate or a newcomer plays it on, or it is taken out of the game.
// The table is told which seat is given to whom, and never what other seats are called. It must not know what becomes of
// the cards.

import { MAIN, html, pick, tool } from "../html.js";
import { remedy } from "./remedies.js";

const LONGEST_NAME = 48; // of 24 characters, some count twice

/** The step as `{view, begin}`; `ask` asks the table, `draw` draws it. */
export const makeLeaving = (page, ask, draw) => {
  const { store, live, words, views, names } = page;
  const { say } = words;
  let leaver = null;
  /** Who could come to the seat: all members, their choice ("": somebody else), and the name that is typed in. */
  let members = [];
  let member = "";
  let typed = "";

  /** Why the player of a seat can't leave the game; null: can. */
  const whyNot = (seat) => store.get("possible")?.leaving[seat - 1] ?? null;
  const matesOf = (seat) =>
    (store.get("table")?.teams.find((team) => team.includes(seat)) ?? []).filter(
      (mate) => mate !== seat && whyNot(mate) === null,
    );

  const takeOut = async () => {
    const yes = await page.confirm({
      asks: "vacate",
      title: say("page correct-leave-sure", { seat: names.seat(leaver) }),
      more: say("page correct-leave-out-more"),
      yes: say("page correct-leave-out"),
      no: say("page correct-no"),
    });
    if (yes && (await ask({ do: "vacate", seat: leaver })).ok) {
      views.go("correct");
    }
  };

  /** Give the seat to `who` (`{like}`, `{member}` or `{name}`), who is `called` so in the sentence `key`. */
  const playOn = async (who, key, called) => {
    const seat = names.seat(leaver); // as it was called until now
    const answer = await page.ask({ do: "play-on", seat: leaver, ...who });
    if (answer.ok) {
      page.say(say(key, { mate: called, seat }));
      views.go("correct");
    } else {
      page.say(answer.why, "bad");
    }
  };
  const playOnByNewcomer = (event) => {
    event.preventDefault();
    const known = members.find(({ id }) => id === member);
    const who = known === undefined ? { name: typed.trim() } : { member };
    return playOn(who, "page correct-leave-new-noted", known?.name ?? typed.trim());
  };
  const load = async () => {
    told = store.get("people")?.told ?? null;
    members = page.access.paired() ? ((await live.ask({ do: "members" })).members ?? []) : [];
    draw();
  };

  let told = null;
  store.on("people", (people) => {
    if (leaver !== null && people !== undefined && people.told !== told) {
      load();
    }
  });

  const choose = (seat) => {
    leaver = seat;
    [member, typed] = ["", ""];
    draw();
    if (seat !== null) {
      load();
    }
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
      choose: () => playOn({ like: mate }, "page correct-leave-noted", names.seat(mate)),
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

  const drawNewcomer = () => html`
    <li key="newcomer">
      <form class="box stack gap-s" data-form="newcomer" data-newcomer onSubmit=${playOnByNewcomer}>
        <h4 class="heading">${say("page correct-leave-new")}</h4>
        <p class="soft">${say("page correct-leave-new-more")}</p>
        ${members.length > 0 &&
        html`
          <div class="field">
            <label for="newcomer-member">${say("page correct-leave-new-who")}</label>
            ${pick(
              member,
              [["", say("page correct-leave-new-guest")], ...members.map(({ id, name }) => [id, name])],
              (value) => {
                member = value;
                draw();
              },
              { id: "newcomer-member", "data-newcomer-member": "" },
            )}
          </div>
        `}
        ${member === "" &&
        html`
          <div class="field">
            <label for="newcomer-name">${say("page people-name")}</label>
            <input id="newcomer-name" type="text" maxlength=${LONGEST_NAME} autocomplete="off" required data-newcomer-name
              value=${typed} onInput=${({ target }) => (typed = target.value)} />
          </div>
        `}
        <div class="cluster">
          <button ...${MAIN} type="submit" data-do="play-on">${say("page correct-leave-new-go")}</button>
        </div>
      </form>
    </li>
  `;

  const drawWho = () => html`
    <p data-step="leave-who">${say("page correct-leave-who")}</p>
    <ul class="stack gap-s">${(store.get("possible")?.leaving ?? []).map(seatButton)}</ul>
  `;
  const drawHow = (mates) => html`
    <p data-step="leave-how">${say("page correct-leave-how", { seat: names.seat(leaver) })}</p>
    <ul class="stack remedies" data-ways>${mates.map(mateWay)} ${drawNewcomer()} ${outWay()}</ul>
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
