// The dock: the hands of the seats a person plays, with what can be done now, the own button, control cards, and what
// the table said. Knows what may be done from the table, and no rule.

import { draw, draw as drawInto, el, html, toElement } from "/static/html.js";
import { makeMenu, seatsToTake } from "./menu.js";
import { letDrag, makeZones } from "./zones.js";

const SIGNS = { announced: "✓", refused: "✕", ignored: "–", fault: "!", notice: "•" };
const STAYS_MS = 12000;
/** A refusal is longer, and somebody thinks about it. */
const REFUSED_STAYS_MS = 30000;

/** The answer of a seat: `show` takes one, `view` draws it. */
const makeAnswer = ({ words }, seat) => {
  const nothing = { lines: [], kind: null };
  let shown = nothing;
  let number = 0;
  let timer = 0;
  let onCleared = () => {};

  const clear = () => {
    shown = nothing;
    onCleared();
  };
  // each answer has elements of its own: the same sentence a second time is read out too
  const line = ({ kind, text, rule, when }, at) => html`
    <p class="said" key=${`${number} ${at}`} data-kind=${kind}>
      <span class="said-sign" aria-hidden="true">${SIGNS[kind] ?? "•"}</span>
      <span class="said-text">${text}${when && html` <span class="said-when">${when}</span>`}</span>
      ${rule && html` <span class="said-rule">${rule}</span>`}
    </p>
  `;

  return {
    onCleared: (listener) => {
      onCleared = listener;
    },
    show({ action, said: all, why }) {
      clearTimeout(timer);
      number += 1;
      // of a card that is held the tap says first that it lies there already
      const held = all.some((item) => item.kind === "announced");
      const said = all.filter((item) => !held || item.kind !== "ignored");
      const isSilent = said.length === 0 && !why && ["tap", "hold", "tap-control", "press"].includes(action);
      const lines = [
        ...said,
        ...(why ? [{ kind: "refused", text: why }] : []),
        ...(isSilent ? [{ kind: "ignored", text: words.say("page nothing-said") }] : []),
      ];
      const bad = lines.some(({ kind }) => kind === "refused" || kind === "fault");
      shown = lines.length === 0 ? nothing : { lines, kind: bad ? "refused" : lines[0].kind };
      if (lines.length > 0) {
        timer = setTimeout(clear, bad ? REFUSED_STAYS_MS : STAYS_MS);
      }
    },
    view: () => html`
      <div class="answer" role="status" data-answer=${seat} data-kind=${shown.kind}>
        ${shown.lines.map(line)}
      </div>
    `,
  };
};

/** Would tapping this card begin one of the controls that are open? */
const begins = ({ control, fields }, open) =>
  open.some(
    (each) => each.control === control && Object.entries(fields).every(([name, value]) => each.fields[name] === value),
  );

/** Draw the control cards of a seat in `root`. */
const drawControlCards = (root, { words, store, about }, actions, seat) => {
  const open = store.get("turn")?.seat === seat ? (store.get("controls") ?? []) : [];
  const cards = about.demo.control_cards.filter((card) => begins(card, open));
  root.setAttribute("aria-label", words.say("page hand-actions"));
  root.hidden = cards.length === 0;
  draw(
    root,
    cards.map(
      ({ card }) => html`
        <button class="action control-card" type="button" key=${card} data-control-card=${card}
          onClick=${() => actions.control(seat, card)}>
          ${words.say(`control ${card}`)}
        </button>
      `,
    ),
  );
};

/** Build the dock into `page.slots.dock`. */
export const makeDock = (page, choice, actions) => {
  const { words, store, slots } = page;
  const top = el("div", { class: "root" });
  const root = el("div", { class: "dock-hands" }, top);
  slots.dock.append(root);
  const hands = new Map();
  let faced = null;

  /** Which of several hands is shown; what stands there while nobody plays here. */
  const drawTop = (played) => {
    const turn = store.get("turn")?.seat;
    const { players = 0, people = [] } = store.get("demo") ?? {};
    const take = (seat) => html`
      <button class="take" type="button" key=${seat} data-take=${seat} aria-label=${words.say("page seat", { seat })}
        aria-pressed=${seat === choice.seat} onClick=${() => choice.sit(seat)}>
        ${seat === turn ? "▸ " : ""}${seat}
      </button>
    `;
    const looking = html`
      <section class="stack gap-s looking" aria-labelledby="looking-on">
        <p class="soft small" id="looking-on">${words.say("page looking-on")}</p>
        <div class="looking-seats">${seatsToTake(players, people, words, actions.sit, { short: true })}</div>
      </section>
    `;
    drawInto(
      top,
      html`
        <nav class="dock-seats" aria-label=${words.say("page hand-seats")} hidden=${played.length < 2}>
          ${played.map(take)}
        </nav>
        ${played.length === 0 && players > 0 && looking}
      `,
    );
  };

  const draw = () => {
    const played = choice.seats();
    played.forEach((seat) => {
      if (!hands.has(seat)) {
        hands.set(seat, makeHand(page, choice, actions, seat));
        root.append(hands.get(seat).element);
      }
    });
    [...hands].forEach(([seat, made]) => {
      if (!played.includes(seat)) {
        made.element.remove();
        hands.delete(seat);
      }
    });
    drawTop(played);
    slots.prompt.replaceChildren(...(hands.has(choice.seat) ? [hands.get(choice.seat).told] : []));
    hands.forEach((made, seat) => {
      made.element.hidden = seat !== choice.seat;
      if (seat === choice.seat) {
        made.draw();
      }
    });
    root.style.setProperty("--hands", String(played.length));
    // not body:has(…), for which each element that comes or goes anywhere would have everything styled anew
    document.body.toggleAttribute("data-seated", played.length > 0);
    slots.mine(played);
    if (choice.seat !== faced) {
      faced = choice.seat;
      if (played.length === 1) {
        slots.own(faced);
      }
    }
  };

  /**
   * Another seat is on turn. Where one person plays several the hand of that one comes to the top, unless a card is
   * chosen.
   */
  let turn = null;
  store.on("turn", (now) => {
    if (now && now.seat !== turn) {
      if (now.seat !== null && choice.seats().includes(turn)) {
        page.settings.hasPlayed();
      }
      turn = now.seat;
      if (choice.card === null && choice.seats().includes(turn)) {
        choice.sit(turn);
      }
    }
    draw();
  });
  ["piles", "demo"].forEach((part) => store.on(part, draw));
  store.on("hands", () => choice.settle());
  choice.follow(draw);
  actions.follow((answer) => {
    if (answer !== null) {
      hands.get(answer.seat)?.answer(answer);
    }
    draw();
  });
  return { hand: () => hands.get(choice.seat) };
};

/** Is a reshuffle what the table waits for? A game with controls of its own lists it among them. */
const mustShuffle = ({ store, about }) =>
  about.controls.length > 0
    ? (store.get("controls") ?? []).some(({ control }) => control === "reshuffle")
    : (store.get("piles")?.stock ?? []).some(({ have }) => have === 0);

/** What must be scrolled to be read can be reached by keys; what fits can't, and needn't. */
const reachable = (element) => {
  element.toggleAttribute("tabindex", element.scrollHeight > element.clientHeight + 1);
  if (element.hasAttribute("tabindex")) {
    element.tabIndex = 0;
  }
};

/** One seat's hand. */
const makeHand = (page, choice, actions, seat) => {
  const { words, cards, store } = page;
  const { say } = words;
  const told = el("div", { class: "own-words" });
  const head = el("div", { class: "own-menu" });
  const zones = makeZones(page, seat);
  const below = el("div", { class: "own-actions" });
  const controlCards = el("div", { class: "own-control-cards", role: "group" });
  const element = el("section", { class: "own", data: { hand: seat } }, zones.element, below, head, controlCards);
  const menu = makeMenu(page, actions, seat);
  const answer = makeAnswer(page, seat);

  zones.element.addEventListener("click", (event) => {
    const card = event.target.closest("button[data-card]")?.dataset.card;
    if (card !== undefined) {
      choice.choose(choice.card === card ? null : card);
    }
  });
  letDrag(zones.element, {
    may: () => choice.seat === seat,
    ghost: (card) => toElement(cards.face(card.dataset.card, { size: "large" })),
    begin: (card) => choice.choose(card, { drag: true }),
    rest: (card, pad) => actions.put(seat, card, pad),
    lift: (card, pad) => actions.lift(seat, card, pad),
    drop: (card, pad) => actions.tap(seat, card, pad),
    end: () => choice.choose(null),
  });
  /** Do something with the card that is chosen. */
  const doWith = (does) => () => {
    const { card } = choice;
    if (card !== null) {
      choice.choose(null);
      does(card);
    }
  };

  const action = (hook, text, does, of = {}) => html`
    <button class="action" type="button" data-do=${hook} onClick=${does} ...${of}>${text}</button>
  `;
  const FITS = { class: "action action-fits" };
  const padButton = (pad) => {
    const own = pad === String(seat);
    const ofSeat = /^\d+$/.test(pad);
    const named = ofSeat ? `▼ ${pad}` : `▲ ${say(`pad ${pad}`)}`;
    const label = own || !ofSeat ? null : say("page do-tap-at", { seat: pad });
    const of = { ...FITS, key: pad, "data-at": pad, "aria-label": label };
    return action("tap", own ? say("page do-tap-own") : named, doWith((card) => actions.tap(seat, card, pad)), of);
  };

  const drawHead = (hand) => {
    const { card } = choice;
    const where = choice.targets().length > 0 || choice.holds() ? "page hand-where" : "page hand-nowhere";
    const hint = card === null ? (hand.owed ?? hand.hint) : say(where, { card: cards.name(card) });
    const says = card !== null ? "where" : hand.owed === null ? "what" : "owed";
    drawInto(
      told,
      html`
        <p class="now-title own-now">${hand.now}</p>
        <p class="own-hint" title=${hint} data-says=${says}>${hint}</p>
        ${answer.view()}
      `,
    );
    drawInto(head, menu());
    told.querySelectorAll(".answer, .own-hint").forEach(reachable);
  };
  const drawActions = (hand) => {
    const none = choice.card === null || choice.dragged;
    const over = Boolean(store.get("turn")?.over);
    const targets = choice.targets();
    const means = hand.meaning ?? "none";
    const press = say(words.has(`page press-${means}`) ? `page press-${means}` : `meaning ${means}`);
    const withCard = (fits) => ({ disabled: none, "data-fits": !none && fits });
    element.dataset.choosing = String(!none);
    drawInto(
      below,
      html`
        <button class="press" type="button" data-do="press" data-meaning=${hand.meaning ?? ""}
          onClick=${() => actions.press(seat)}>
          <strong class="press-word">${press}</strong>
          <kbd class="press-key" aria-hidden="true">${say("page space")}</kbd>
        </button>
        <div class="own-pads" role="group" aria-label=${say("page hand-pads")}>
          ${targets.filter((pad) => pad !== "discard").map(padButton)}
        </div>
        ${action("hold", say("page do-hold"), doWith((card) => actions.hold(seat, card, seat)), withCard(choice.holds()))}
        ${action(
          "discard",
          say("page do-discard"),
          doWith((card) => actions.tap(seat, card, "discard")),
          withCard(targets.includes("discard")),
        )}
        ${hand.may_draw && none && action("draw", say("page do-draw"), () => actions.draw(seat))}
        ${hand.meaning === "check" && action("tap-rows", say("page do-tap-rows"), () => actions.tapRows(seat))}
        ${!over &&
        mustShuffle(page) &&
        action("reshuffle", say("control reshuffle"), () => actions.control(seat, "reshuffle"), FITS)}
        ${over && action("again", say("control new-game"), () => actions.control(seat, "new-game"), FITS)}
      `,
    );
  };

  const draw = () => {
    const hand = choice.hand();
    if (hand === undefined) {
      return;
    }
    const busy = actions.busy(seat);
    const hadFocus = element.contains(document.activeElement);
    element.setAttribute("aria-label", say("page hand-of", { seat }));
    element.setAttribute("aria-busy", String(busy));
    element.dataset.busy = String(busy);
    zones.draw(hand, choice.zones(), choice.card, busy);
    drawHead(hand);
    drawActions(hand);
    drawControlCards(controlCards, page, actions, seat);
    // what had the focus may be gone: then the hand has it, and not the whole page
    if (hadFocus && !element.contains(document.activeElement)) {
      (zones.element.querySelector("button[data-card]") ?? zones.element).focus({ preventScroll: true });
    }
  };
  answer.onCleared(draw);
  return { element, told, zones, draw, answer: answer.show };
};
