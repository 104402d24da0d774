// A player who leaves: from which seat, and whether a teammate plays it on or it is taken out of the game. It must not
// know what becomes of the cards.

import { el, setText } from "../elements.js";
import { makeDeed } from "./deeds.js";
import { keepingFocus } from "./focus.js";

/** The step as an element; `does` asks the table. */
export const makeLeaving = (page, does) => {
  const { store, words, views, names } = page;
  const back = el("a", { class: "tool back", href: "#correct", "data-word": "page correct-back" });
  const title = el("h3", { class: "step-title", tabindex: "-1", "data-word": "page correct-vacate" });
  const ask = el("p", { class: "step-ask" });
  const seats = el("ul", { class: "leavers" });
  const ways = el("ul", { class: "remedies", data: { ways: "" } });
  const alone = el("p", { class: "step-note", "data-word": "page correct-leave-alone", hidden: true });
  const other = el("button", {
    class: "tool",
    type: "button",
    data: { do: "other-seat" },
    "data-word": "page correct-leave-other",
  });
  const parts = [back, title, ask, seats, ways, alone, other];
  const element = el("section", { class: "step", data: { step: "leave" } }, ...parts);
  let leaver = null;

  /** Why the player of a seat can't leave the game; null: can. */
  const whyNot = (seat) => store.get("possible")?.leaving[seat - 1] ?? null;
  const matesOf = (seat) =>
    (store.get("table")?.teams.find((team) => team.includes(seat)) ?? []).filter(
      (mate) => mate !== seat && whyNot(mate) === null,
    );

  const takeOut = async () => {
    const yes = await page.confirm({
      title: words.say("page correct-leave-sure", { seat: names.seat(leaver) }),
      more: words.say("page correct-leave-out-more"),
      yes: words.say("page correct-leave-out"),
      no: words.say("page correct-no"),
    });
    if (yes && (await does({ do: "vacate", seat: leaver })).ok) {
      views.go("correct");
    }
  };

  /** The seat is called after who plays it now; at the table nothing else changes. */
  const playOn = async (mate) => {
    const called = names.of(mate);
    if (called !== "" && names.of(leaver) !== called) {
      const others = store.get("names").map((name, at) => (at === leaver - 1 ? called : name));
      if (!(await does({ do: "name-players", names: others })).ok) {
        return;
      }
    }
    page.say(words.say("page correct-leave-noted", { mate: names.seat(mate), seat: names.seat(leaver) }));
    views.go("correct");
  };

  const choose = (seat) => {
    leaver = seat;
    draw();
    (seat === null ? title : ways.querySelector("button")).focus();
  };
  other.addEventListener("click", () => choose(null));

  const seatButton = (seat) => {
    const button = el("button", { class: "tool leaver", type: "button", data: { leaver: seat } }, names.seat(seat));
    const why = whyNot(seat);
    if (why !== null) {
      button.setAttribute("aria-disabled", "true");
    }
    button.addEventListener("click", () => (why === null ? choose(seat) : page.say(why, "bad")));
    return el("li", {}, button, why === null ? null : el("p", { class: "remedy-why" }, why));
  };

  const waysOf = (mates) => [
    ...mates.map((mate) => {
      const deed = makeDeed(page, {
        name: `mate-${mate}`,
        labelKey: "page correct-leave-mate",
        moreKey: "page correct-leave-mate-more",
        signName: "swap",
        choose: () => playOn(mate),
        facts: { mate: names.seat(mate) },
      });
      deed.tell(null);
      return deed.element;
    }),
    outDeed(),
  ];
  const outDeed = () => {
    const deed = makeDeed(page, {
      name: "out",
      labelKey: "page correct-leave-out",
      moreKey: "page correct-leave-out-more",
      signName: "leave",
      choose: takeOut,
    });
    deed.tell(whyNot(leaver));
    return deed.element;
  };

  let drawn = "";
  const draw = () => {
    const told = ["possible", "names", "table"].map((part) => store.get(part));
    const now = JSON.stringify([leaver, told[0]?.leaving, ...told.slice(1), words.language()]);
    if (now === drawn) {
      return;
    }
    drawn = now;
    const chosen = leaver !== null;
    setText(
      ask,
      chosen ? words.say("page correct-leave-how", { seat: names.seat(leaver) }) : words.say("page correct-leave-who"),
    );
    seats.hidden = chosen;
    ways.hidden = other.hidden = !chosen;
    if (chosen) {
      const mates = matesOf(leaver);
      ways.replaceChildren(...waysOf(mates));
      alone.hidden = mates.length > 0;
    } else {
      alone.hidden = true;
      seats.replaceChildren(...(store.get("possible")?.leaving ?? []).map((_, at) => seatButton(at + 1)));
    }
  };
  ["possible", "names", "table"].forEach((part) => store.on(part, () => store.soon(() => keepingFocus(element, draw))));
  return { element, begin: () => choose(null) };
};
