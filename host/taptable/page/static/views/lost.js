// Cards that are lost: which they are, which one is lost now (by its kind, then by where the table thinks it is), and
// which was found again. It must not know what a lost card means in the game.

import { kindOf } from "../cards.js";
import { html, tool } from "../html.js";
import { placeName, seatsName } from "../rows.js";
import { cardName } from "./checking.js";

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

/** The step as `{view, begin}`; `ask` asks the table, `draw` draws it. */
export const makeLost = (page, ask, draw) => {
  const { store, words, cards, views } = page;
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
      title: say("page correct-lost-sure", { card: cardName(cards, card) }),
      more: say("page correct-lost-means"),
      yes: say("page correct-lost-yes"),
      no: say("page correct-no"),
    });
    if (yes && (await ask({ do: "lost", card })).ok) {
      chosen = null;
      views.go("correct");
    }
  };

  const lostCard = (card) => html`
    <li class="ticked beside" key=${card}>
      ${cards.face(card, { size: "mini" })}
      <span class="grow">${cardName(cards, card)}</span>
      <button class="tool" type="button" data-recover=${card} onClick=${() => ask({ do: "recovered", card })}
        aria-label=${say("page correct-found-of", { card: cardName(cards, card) })}>
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
      <button class="tool digits lost-number" type="button" data-lose=${card} aria-label=${cardName(cards, card)}
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
