// The dock: the hands of the seats that a person plays, with the possible actions, the button, control cards, and the
// table's answers. The table says what is possible; it must not know any rule.

import { draw, draw as drawInto, el, html, toElement } from "/static/html.js";
import { drawFreeSeats, makeMenu } from "./menu.js";
import { makeDraggable, makeZones } from "./zones.js";

const SYMBOLS = { announced: "✓", refused: "✕", ignored: "–", fault: "!", notice: "•" };
const SHOWN_MS = 12000;
/** A refusal is longer, and people think about it. */
const REFUSED_SHOWN_MS = 30000;

/** Makes a seat's answer: `show` takes one, `view` draws it. */
const makeAnswer = ({ words }, seat) => {
  const NO_ANSWER = { lines: [], kind: null };
  let shownAnswer = NO_ANSWER;
  let number = 0;
  let timer = 0;
  let onCleared = () => {};

  const clear = () => {
    shownAnswer = NO_ANSWER;
    onCleared();
  };
  // New elements for each answer, so that a repeated sentence is announced again.
  const drawLine = ({ kind, text, rule, when }, at) => html`
    <p class="answer-line" key=${`${number} ${at}`} data-kind=${kind}>
      <span class="answer-symbol" aria-hidden="true">${SYMBOLS[kind] ?? "•"}</span>
      <span class="answer-text">${text}${when && html` <span class="answer-when">${when}</span>`}</span>
      ${rule && html` <span class="answer-rule">${rule}</span>`}
    </p>
  `;

  return {
    onCleared: (listener) => {
      onCleared = listener;
    },
    show({ action, said: entries, why }) {
      clearTimeout(timer);
      number += 1;
      // for a held card, the tap first says that it lies there already
      const isHeld = entries.some((item) => item.kind === "announced");
      const sentences = entries.filter((item) => !isHeld || item.kind !== "ignored");
      const isSilent = sentences.length === 0 && !why && ["tap", "hold", "tap-control", "press"].includes(action);
      const lines = [
        ...sentences,
        ...(why ? [{ kind: "refused", text: why }] : []),
        ...(isSilent ? [{ kind: "ignored", text: words.say("page nothing-said") }] : []),
      ];
      const isBad = lines.some(({ kind }) => kind === "refused" || kind === "fault");
      shownAnswer = lines.length === 0 ? NO_ANSWER : { lines, kind: isBad ? "refused" : lines[0].kind };
      if (lines.length > 0) {
        timer = setTimeout(clear, isBad ? REFUSED_SHOWN_MS : SHOWN_MS);
      }
    },
    view: () => html`
      <div class="answer" role="status" data-answer=${seat} data-kind=${shownAnswer.kind}>
        ${shownAnswer.lines.map(drawLine)}
      </div>
    `,
  };
};

/** Whether tapping this card starts one of the `open` controls. */
const opensControl = ({ control, fields }, open) =>
  open.some(
    (each) => each.control === control && Object.entries(fields).every(([name, value]) => each.fields[name] === value),
  );

/** Draws a seat's control cards into `root`. */
const drawControlCards = (root, { words, store, about }, actions, seat) => {
  const open = store.get("turn")?.seat === seat ? (store.get("controls") ?? []) : [];
  const cards = about.demo.control_cards.filter((card) => opensControl(card, open));
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

/** Builds the dock into `page.slots.dock`. */
export const makeDock = (page, choice, actions) => {
  const { words, store, slots } = page;
  const top = el("div", { class: "root" });
  const root = el("div", { class: "dock-hands" }, top);
  slots.dock.append(root);
  const hands = new Map();
  let facedSeat = null;

  /** Draws the switch between several hands, or the free seats while nobody plays here. */
  const drawTop = (playedSeats) => {
    const turn = store.get("turn")?.seat;
    const { players = 0, people = [] } = store.get("demo") ?? {};
    const drawSeatButton = (seat) => html`
      <button class="hand-tab" type="button" key=${seat} data-hand-tab=${seat} aria-label=${words.say("page seat", { seat })}
        aria-pressed=${seat === choice.seat} onClick=${() => choice.selectSeat(seat)}>
        ${seat === turn ? "▸ " : ""}${seat}
      </button>
    `;
    const onlooker = html`
      <section class="stack gap-s looking" aria-labelledby="looking-on">
        <p class="soft small" id="looking-on">${words.say("page looking-on")}</p>
        <div class="looking-seats">${drawFreeSeats(players, people, words, actions.sit, { short: true })}</div>
      </section>
    `;
    drawInto(
      top,
      html`
        <nav class="dock-seats" aria-label=${words.say("page hand-seats")} hidden=${playedSeats.length < 2}>
          ${playedSeats.map(drawSeatButton)}
        </nav>
        ${playedSeats.length === 0 && players > 0 && onlooker}
      `,
    );
  };

  const draw = () => {
    const playedSeats = choice.seats();
    playedSeats.forEach((seat) => {
      if (!hands.has(seat)) {
        hands.set(seat, makeHand(page, choice, actions, seat));
        root.append(hands.get(seat).element);
      }
    });
    [...hands].forEach(([seat, hand]) => {
      if (!playedSeats.includes(seat)) {
        hand.element.remove();
        hands.delete(seat);
      }
    });
    drawTop(playedSeats);
    slots.prompt.replaceChildren(...(hands.has(choice.seat) ? [hands.get(choice.seat).status] : []));
    hands.forEach((hand, seat) => {
      hand.element.hidden = seat !== choice.seat;
      if (seat === choice.seat) {
        hand.draw();
      }
    });
    root.style.setProperty("--hands", String(playedSeats.length));
    // body:has(…) would restyle everything whenever any element comes or goes
    document.body.toggleAttribute("data-seated", playedSeats.length > 0);
    slots.setPlayedSeats(playedSeats);
    if (choice.seat !== facedSeat) {
      facedSeat = choice.seat;
      if (playedSeats.length === 1) {
        slots.setOwnSeat(facedSeat);
      }
    }
  };

  /** When the turn passes to another seat of the same person, its hand comes to the front, unless a card is chosen. */
  let turn = null;
  store.on("turn", (now) => {
    if (now && now.seat !== turn) {
      if (now.seat !== null && choice.seats().includes(turn)) {
        page.settings.hasPlayed();
      }
      turn = now.seat;
      if (choice.card === null && choice.seats().includes(turn)) {
        choice.selectSeat(turn);
      }
    }
    draw();
  });
  ["piles", "demo"].forEach((part) => store.on(part, draw));
  store.on("hands", () => choice.refresh());
  choice.onChange(draw);
  actions.onAnswer((answer) => {
    if (answer !== null) {
      hands.get(answer.seat)?.answer(answer);
    }
    draw();
  });
  return { hand: () => hands.get(choice.seat) };
};

/** Whether the table waits for a reshuffle. A game with its own controls lists it among them. */
const mustShuffle = ({ store, about }) =>
  about.controls.length > 0
    ? (store.get("controls") ?? []).some(({ control }) => control === "reshuffle")
    : (store.get("piles")?.stock ?? []).some(({ have }) => have === 0);

/** Makes a scrollable element reachable by keyboard, and only while it needs scrolling. */
const makeScrollableFocusable = (element) => {
  element.toggleAttribute("tabindex", element.scrollHeight > element.clientHeight + 1);
  if (element.hasAttribute("tabindex")) {
    element.tabIndex = 0;
  }
};

/** Makes one seat's hand. */
const makeHand = (page, choice, actions, seat) => {
  const { words, cards, store } = page;
  const { say } = words;
  const status = el("div", { class: "own-words" });
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
  makeDraggable(zones.element, {
    may: () => choice.seat === seat,
    ghost: (card) => toElement(cards.face(card.dataset.card, { size: "large" })),
    begin: (card) => choice.choose(card, { drag: true }),
    rest: (card, pad) => actions.put(seat, card, pad),
    lift: (card, pad) => actions.lift(seat, card, pad),
    drop: (card, pad) => actions.tap(seat, card, pad),
    end: () => choice.choose(null),
  });
  /** Returns a handler that calls `action` with the chosen card. */
  const withChosenCard = (action) => () => {
    const { card } = choice;
    if (card !== null) {
      choice.choose(null);
      action(card);
    }
  };

  const actionButton = (hook, text, onClick, attributes = {}) => html`
    <button class="action" type="button" data-do=${hook} onClick=${onClick} ...${attributes}>${text}</button>
  `;
  const FITS = { class: "action action-fits" };
  const padButton = (pad) => {
    const isOwn = pad === String(seat);
    const isSeat = /^\d+$/.test(pad);
    const text = isSeat ? `▼ ${pad}` : `▲ ${say(`pad ${pad}`)}`;
    const label = isOwn || !isSeat ? null : say("page do-tap-at", { seat: pad });
    const attributes = { ...FITS, key: pad, "data-at": pad, "aria-label": label };
    const tap = withChosenCard((card) => actions.tap(seat, card, pad));
    return actionButton("tap", isOwn ? say("page do-tap-own") : text, tap, attributes);
  };

  const drawHead = (hand) => {
    const { card } = choice;
    const hintKey = choice.targets().length > 0 || choice.holds() ? "page hand-where" : "page hand-nowhere";
    const hint = card === null ? (hand.owed ?? hand.hint) : say(hintKey, { card: cards.name(card) });
    const hintKind = card !== null ? "where" : hand.owed === null ? "what" : "owed";
    drawInto(
      status,
      html`
        <p class="now-title own-now">${hand.now}</p>
        <p class="own-hint" title=${hint} data-hint=${hintKind}>${hint}</p>
        ${answer.view()}
      `,
    );
    drawInto(head, menu());
    status.querySelectorAll(".answer, .own-hint").forEach(makeScrollableFocusable);
  };
  const drawActions = (hand) => {
    const hasNoCard = choice.card === null || choice.dragged;
    const over = Boolean(store.get("turn")?.over);
    const targets = choice.targets();
    const meaning = hand.meaning ?? "none";
    const pressText = say(words.has(`page press-${meaning}`) ? `page press-${meaning}` : `meaning ${meaning}`);
    const withCard = (fits) => ({ disabled: hasNoCard, "data-fits": !hasNoCard && fits });
    element.dataset.choosing = String(!hasNoCard);
    drawInto(
      below,
      html`
        <button class="press" type="button" data-do="press" data-meaning=${hand.meaning ?? ""}
          onClick=${() => actions.press(seat)}>
          <strong class="press-word">${pressText}</strong>
          <kbd class="press-key" aria-hidden="true">${say("page space")}</kbd>
        </button>
        <div class="own-pads" role="group" aria-label=${say("page hand-pads")}>
          ${targets.filter((pad) => pad !== "discard").map(padButton)}
        </div>
        ${actionButton("hold", say("page do-hold"), withChosenCard((card) => actions.hold(seat, card, seat)), withCard(choice.holds()))}
        ${actionButton(
          "discard",
          say("page do-discard"),
          withChosenCard((card) => actions.tap(seat, card, "discard")),
          withCard(targets.includes("discard")),
        )}
        ${hand.may_draw && hasNoCard && actionButton("draw", say("page do-draw"), () => actions.draw(seat))}
        ${hand.meaning === "check" && actionButton("tap-rows", say("page do-tap-rows"), () => actions.tapRows(seat))}
        ${!over &&
        mustShuffle(page) &&
        actionButton("reshuffle", say("control reshuffle"), () => actions.control(seat, "reshuffle"), FITS)}
        ${over && actionButton("again", say("control new-game"), () => actions.control(seat, "new-game"), FITS)}
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
    // if the focused element is gone, keep the focus within the hand
    if (hadFocus && !element.contains(document.activeElement)) {
      (zones.element.querySelector("button[data-card]") ?? zones.element).focus({ preventScroll: true });
    }
  };
  answer.onCleared(draw);
  return { element, status, zones, draw, answer: answer.show };
};
