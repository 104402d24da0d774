// Steps of putting things right that take more than one choice: which card is lost or was found again, and who leaves.
// Then the seat is played on by a teammate or a newcomer, or taken out of the game: the table is told which seat is
// given to whom, and never what other seats are called. It must not know what becomes of the cards.

import { kindOf } from "../../cards.js";
import { html, pickField, sign, submit, textField, tool } from "../../html.js";
import { LONGEST_NAME } from "../../names.js";
import { placeName, seatsName } from "../../table/rows.js";

/**
 * A big button with what it does and, where it can't be done, why not (null: it can); `choose` is done by a click. It isn't
 * `disabled` then: who tabs through or listens is to find the reason. `below` stands below it.
 */
export const remedy = (page, { name, label, more, signName, why, choose, below = null }) => html`
  <li key=${name}>
    <button class="press-box remedy" type="button" data-remedy=${name} aria-labelledby=${`remedy-${name}`}
      aria-describedby=${`remedy-${name}-more remedy-${name}-why`} aria-disabled=${why !== null}
      onClick=${() => (why === null ? choose() : page.say(why, "bad"))}>
      ${sign(signName, "sign remedy-sign")}
      <span class="heading" id=${`remedy-${name}`}>${label}</span>
      <span class="soft" id=${`remedy-${name}-more`}>${more}</span>
      <span class="remedy-why" id=${`remedy-${name}-why`} hidden=${why === null}>${why}</span>
    </button>
    ${below}
  </li>
`;

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);

/** Where the table thinks each card lies: the cards by place, as `[title, cards]`. */
const placesOf = ({ store, words }, kind, count) => {
  const lost = new Set(store.get("lost")?.cards ?? []);
  const left = new Set(numbers(count).map((number) => `${kind}#${number}`).filter((card) => !lost.has(card)));
  const take = (cards) => cards.filter((card) => kindOf(card) === kind && left.delete(card));
  const places = (store.get("teams") ?? []).flatMap((team) =>
    team.rows.map(({ place, cards }) => [
      words.say("page correct-in-row", { seats: seatsName(words, team.seats), place: placeName(words, place) }),
      take(cards),
    ]),
  );
  places.push([words.say("page correct-on-pile"), take((store.get("piles")?.zones ?? []).flatMap(({ cards }) => cards))]);
  places.push([words.say("page correct-hidden"), [...left]]);
  return places.filter(([, cards]) => cards.length > 0);
};

/** Cards that are lost, as `{view, begin}`: which one, by its kind, then by its place; `draw` draws it. */
export const makeLost = (page, draw) => {
  const { store, words, cards, views, act } = page;
  const { say } = words;
  let chosen = null;

  const choose = (kind) => {
    chosen = kind;
    draw();
    document.querySelector(`[data-step="lost"] ${kind === null ? "h3" : "[data-lose]"}`).focus();
  };
  const mark = async (card) => {
    const yes = await page.confirm({
      asks: "lost",
      title: say("page correct-lost-sure", { card: cards.numbered(card) }),
      more: say("page correct-lost-means"),
      yes: say("page correct-lost-yes"),
      no: say("page correct-no"),
    });
    if (yes && (await act({ do: "lost", card })).ok) {
      chosen = null;
      views.go("correct");
    }
  };

  const lostCard = (card) => html`
    <li class="ticked beside" key=${card}>
      ${cards.face(card, { size: "mini" })}
      <span class="grow">${cards.numbered(card)}</span>
      <button class="tool" type="button" data-recover=${card} onClick=${() => act({ do: "recovered", card })}
        aria-label=${say("page correct-found-of", { card: cards.numbered(card) })}>
        ${say("page correct-found")}
      </button>
    </li>
  `;
  const kindButton = ([kind]) => html`
    <li key=${kind}>
      <button class="press-box lost-kind" type="button" data-kind=${kind} onClick=${() => choose(kind)}>
        ${cards.face(`${kind}#1`, { size: "mini" })}<span aria-hidden="true">${cards.name(kind)}</span>
      </button>
    </li>
  `;
  const cardButton = (card) => html`
    <li key=${card}>
      <button class="tool digits lost-number" type="button" data-lose=${card} aria-label=${cards.numbered(card)}
        onClick=${() => mark(card)}>
        ${card.split("#")[1]}
      </button>
    </li>
  `;

  const drawKinds = (kinds) => html`
    <p data-step="lost-kind">${say("page correct-which-kind")}</p>
    <ul class="tiles lost-kinds">${kinds.map(kindButton)}</ul>
  `;
  const drawPlaces = (kinds) => html`
    <p data-step="lost-card">${say("page correct-which", { card: cards.name(chosen) })}</p>
    <div class="stack gap-l">
      ${placesOf(page, chosen, new Map(kinds).get(chosen) ?? 0).map(
        ([name, found]) => html`
          <section class="stack gap-s" key=${name}>
            <h4>${name}</h4>
            <ul class="cluster">${found.map(cardButton)}</ul>
          </section>
        `,
      )}
      <p class="soft">${say("page correct-any")}</p>
      ${tool("other-kind", say("page correct-other-kind"), () => choose(null))}
    </div>
  `;
  return {
    begin: () => choose(null),
    view: () => {
      const { cards: lost = [], kinds = [] } = store.get("lost") ?? {};
      const why = store.get("possible")?.verbs.lost ?? null;
      return html`
        <section class="stack step" data-step="lost">
          <a class="tool back" href="#correct">${say("page correct-back")}</a>
          <h3 class="heading" tabindex="-1">${say("page correct-lost")}</h3>
          ${lost.length === 0 && html`<p class="soft">${say("page correct-none-lost")}</p>`}
          <ul class="stack gap-s" data-lost-cards>${lost.map(lostCard)}</ul>
          ${lost.length > 0 && html`<p class="soft">${say("page correct-found-hint")}</p>`}
          <p class="remedy-why" data-why>${why ?? ""}</p>
          ${why === null && (chosen === null ? drawKinds(kinds) : drawPlaces(kinds))}
        </section>
      `;
    },
  };
};

const OF_MEMBER = { "data-newcomer-member": "" };
const OF_NEWCOMER = { maxlength: LONGEST_NAME, required: true, "data-newcomer-name": "" };

/** A player who leaves, as `{view, begin}`: from which seat, and what becomes of it; `draw` draws it. */
export const makeLeaving = (page, draw) => {
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
    if (yes && (await page.act({ do: "vacate", seat: leaver })).ok) {
      views.go("correct");
    }
  };

  /** Give the seat to `who` (`{like}`, `{member}` or `{name}`), who is `called` so in the sentence `key`. */
  const playOn = async (who, key, called) => {
    const sentence = say(key, { mate: called, seat: names.seat(leaver) }); // as it was called until now
    if ((await page.does({ do: "play-on", seat: leaver, ...who }, sentence)).ok) {
      views.go("correct");
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
  const options = () => [["", say("page correct-leave-new-guest")], ...members.map(({ id, name }) => [id, name])];
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

  const chooseMember = (id) => {
    member = id;
    draw();
  };
  const drawNewcomer = (options) => html`
    <li key="newcomer">
      <form class="box stack gap-s" data-form="newcomer" data-newcomer onSubmit=${playOnByNewcomer}>
        <h4 class="heading">${say("page correct-leave-new")}</h4>
        <p class="soft">${say("page correct-leave-new-more")}</p>
        ${members.length > 0 &&
        pickField("newcomer-member", say("page correct-leave-new-who"), member, options, chooseMember, OF_MEMBER)}
        ${member === "" &&
        textField("newcomer-name", say("page people-name"), typed, (text) => (typed = text), OF_NEWCOMER)}
        <div class="cluster">${submit("play-on", say("page correct-leave-new-go"))}</div>
      </form>
    </li>
  `;

  const drawWho = () => html`
    <p data-step="leave-who">${say("page correct-leave-who")}</p>
    <ul class="stack gap-s">${(store.get("possible")?.leaving ?? []).map(seatButton)}</ul>
  `;
  const drawHow = (mates) => html`
    <p data-step="leave-how">${say("page correct-leave-how", { seat: names.seat(leaver) })}</p>
    <ul class="stack remedies" data-ways>${mates.map(mateWay)} ${drawNewcomer(options())} ${outWay()}</ul>
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
