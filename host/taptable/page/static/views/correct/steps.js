// Corrections that take several choices: which card is lost or found, and which player leaves. A leaver's seat is taken
// over by a teammate or a newcomer, or removed from the game. The table learns which seat is given to whom, and nothing
// about other seats. It must not know what happens to the cards.

import { kindOf } from "../../cards.js";
import { html, icon, pickField, submit, textField, tool } from "../../html.js";
import { MAX_NAME_LENGTH } from "../../names.js";
import { placeName, seatsName } from "../../table/rows.js";

/**
 * A large button with a description; `onClick` runs unless `why` gives a reason against it. The button is then not
 * `disabled`, so that keyboard and screen reader users find the reason. `below` stands under it.
 */
export const remedy = (page, { name, label, more, iconName, why, onClick, below = null }) => html`
  <li key=${name}>
    <button class="press-box remedy" type="button" data-remedy=${name} aria-labelledby=${`remedy-${name}`}
      aria-describedby=${`remedy-${name}-more remedy-${name}-why`} aria-disabled=${why !== null}
      onClick=${() => (why === null ? onClick() : page.showNote(why, "bad"))}>
      ${icon(iconName, "icon remedy-icon")}
      <span class="heading" id=${`remedy-${name}`}>${label}</span>
      <span class="soft" id=${`remedy-${name}-more`}>${more}</span>
      <span class="remedy-why" id=${`remedy-${name}-why`} hidden=${why === null}>${why}</span>
    </button>
    ${below}
  </li>
`;

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);

/** Returns where the table believes each card of a kind to be, as `[title, cards]`. */
const placesOf = ({ store, words }, kind, count) => {
  const lost = new Set(store.get("lost")?.cards ?? []);
  const remaining = new Set(numbers(count).map((number) => `${kind}#${number}`).filter((card) => !lost.has(card)));
  const takeMatching = (cards) => cards.filter((card) => kindOf(card) === kind && remaining.delete(card));
  const places = (store.get("teams") ?? []).flatMap((team) =>
    team.rows.map(({ place, cards }) => [
      words.say("page correct-in-row", { seats: seatsName(words, team.seats), place: placeName(words, place) }),
      takeMatching(cards),
    ]),
  );
  places.push([words.say("page correct-on-pile"), takeMatching((store.get("piles")?.zones ?? []).flatMap(({ cards }) => cards))]);
  places.push([words.say("page correct-hidden"), [...remaining]]);
  return places.filter(([, cards]) => cards.length > 0);
};

/** The step for lost cards as `{view, begin}`: choose the kind, then the card by its place. `draw` renders it. */
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
    const isConfirmed = await page.confirm({
      asks: "lost",
      title: say("page correct-lost-sure", { card: cards.nameWithNumber(card) }),
      more: say("page correct-lost-means"),
      yes: say("page correct-lost-yes"),
      no: say("page correct-no"),
    });
    if (isConfirmed && (await act({ do: "lost", card })).ok) {
      chosen = null;
      views.go("correct");
    }
  };

  const lostCard = (card) => html`
    <li class="ticked beside" key=${card}>
      ${cards.face(card, { size: "mini" })}
      <span class="grow">${cards.nameWithNumber(card)}</span>
      <button class="tool" type="button" data-recover=${card} onClick=${() => act({ do: "recovered", card })}
        aria-label=${say("page correct-found-of", { card: cards.nameWithNumber(card) })}>
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
      <button class="tool digits lost-number" type="button" data-lose=${card} aria-label=${cards.nameWithNumber(card)}
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
        ([name, cardsThere]) => html`
          <section class="stack gap-s" key=${name}>
            <h4>${name}</h4>
            <ul class="cluster">${cardsThere.map(cardButton)}</ul>
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

const MEMBER_ATTRIBUTES = { "data-newcomer-member": "" };
const NAME_ATTRIBUTES = { maxlength: MAX_NAME_LENGTH, required: true, "data-newcomer-name": "" };

/** The step for a leaving player as `{view, begin}`: choose the seat, then what happens to it. `draw` renders it. */
export const makeLeaving = (page, draw) => {
  const { store, words, views, names } = page;
  const { say } = words;
  let leavingSeat = null;
  /** All members, the chosen one ("" for somebody else), and the typed name of somebody else. */
  let members = [];
  let member = "";
  let typedName = "";

  /** Returns why a seat's player can't leave; null if they can. */
  const refusalFor = (seat) => store.get("possible")?.leaving[seat - 1] ?? null;
  const teammatesOf = (seat) =>
    (store.get("table")?.teams.find((team) => team.includes(seat)) ?? []).filter(
      (mate) => mate !== seat && refusalFor(mate) === null,
    );

  const vacateSeat = async () => {
    const isConfirmed = await page.confirm({
      asks: "vacate",
      title: say("page correct-leave-sure", { seat: names.seat(leavingSeat) }),
      more: say("page correct-leave-out-more"),
      yes: say("page correct-leave-out"),
      no: say("page correct-no"),
    });
    if (isConfirmed && (await page.act({ do: "vacate", seat: leavingSeat })).ok) {
      views.go("correct");
    }
  };

  /** Gives the seat to `newPlayer` (`{like}`, `{member}` or `{name}`), called `newName` in the sentence `key`. */
  const playOn = async (newPlayer, key, newName) => {
    // with the name that the seat has until now
    const sentence = say(key, { mate: newName, seat: names.seat(leavingSeat) });
    if ((await page.askAndReport({ do: "play-on", seat: leavingSeat, ...newPlayer }, sentence)).ok) {
      views.go("correct");
    }
  };
  const playOnByNewcomer = (event) => {
    event.preventDefault();
    const chosenMember = members.find(({ id }) => id === member);
    const newPlayer = chosenMember === undefined ? { name: typedName.trim() } : { member };
    return playOn(newPlayer, "page correct-leave-new-noted", chosenMember?.name ?? typedName.trim());
  };
  const load = async () => {
    membersRevision = store.get("people")?.told ?? null;
    members = (await page.askForMembers()) ?? [];
    draw();
  };

  let membersRevision = null;
  store.on("people", (people) => {
    if (leavingSeat !== null && people !== undefined && people.told !== membersRevision) {
      load();
    }
  });

  const choose = (seat) => {
    leavingSeat = seat;
    [member, typedName] = ["", ""];
    draw();
    if (seat !== null) {
      load();
    }
    document.querySelector(`[data-step="leave"] ${seat === null ? "h3" : "[data-options] button"}`).focus();
  };

  const seatButton = (_, at) => {
    const seat = at + 1;
    const why = refusalFor(seat);
    return html`
      <li key=${seat}>
        <button class="tool leaver" type="button" data-leaver=${seat} aria-disabled=${why === null ? null : "true"}
          onClick=${() => (why === null ? choose(seat) : page.showNote(why, "bad"))}>
          ${names.seat(seat)}
        </button>
        <p class="remedy-why">${why ?? ""}</p>
      </li>
    `;
  };
  const options = () => [["", say("page correct-leave-new-guest")], ...members.map(({ id, name }) => [id, name])];
  const drawTeammateOption = (mate) =>
    remedy(page, {
      name: `mate-${mate}`,
      label: say("page correct-leave-mate", { mate: names.seat(mate) }),
      more: say("page correct-leave-mate-more"),
      iconName: "swap",
      why: null,
      onClick: () => playOn({ like: mate }, "page correct-leave-noted", names.seat(mate)),
    });
  const drawVacateOption = () =>
    remedy(page, {
      name: "out",
      label: say("page correct-leave-out"),
      more: say("page correct-leave-out-more"),
      iconName: "leave",
      why: refusalFor(leavingSeat),
      onClick: vacateSeat,
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
        pickField("newcomer-member", say("page correct-leave-new-who"), member, options, chooseMember, MEMBER_ATTRIBUTES)}
        ${member === "" &&
        textField("newcomer-name", say("page people-name"), typedName, (text) => (typedName = text), NAME_ATTRIBUTES)}
        <div class="cluster">${submit("play-on", say("page correct-leave-new-go"))}</div>
      </form>
    </li>
  `;

  const drawWho = () => html`
    <p data-step="leave-who">${say("page correct-leave-who")}</p>
    <ul class="stack gap-s">${(store.get("possible")?.leaving ?? []).map(seatButton)}</ul>
  `;
  const drawHow = (mates) => html`
    <p data-step="leave-how">${say("page correct-leave-how", { seat: names.seat(leavingSeat) })}</p>
    <ul class="stack remedies" data-options>${mates.map(drawTeammateOption)} ${drawNewcomer(options())} ${drawVacateOption()}</ul>
    ${mates.length === 0 && html`<p class="step-note">${say("page correct-leave-alone")}</p>`}
    ${tool("other-seat", say("page correct-leave-other"), () => choose(null))}
  `;
  return {
    begin: () => choose(null),
    view: () => html`
      <section class="stack step" data-step="leave">
        <a class="tool back" href="#correct">${say("page correct-back")}</a>
        <h3 class="heading" tabindex="-1">${say("page correct-vacate")}</h3>
        ${leavingSeat === null ? drawWho() : drawHow(teammatesOf(leavingSeat))}
      </section>
    `,
  };
};
