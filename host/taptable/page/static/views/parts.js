// The parts of the table: where each one is; and the steps in which seats are assigned by touching the parts, in large
// text for somebody who walks around the table. It must not know which step comes next: the table decides that.

import { drawOnChange, el, html, MAIN, pickField, tool } from "../html.js";

const SEATS = [2, 3, 4, 5, 6];
/** Fewest seats of a table. */
const MIN_SEATS = 2;

/** Returns `[name, parts]` for each place, in the order of the parts; those without a place come together, too. */
const byPlace = (parts) => {
  const places = new Map();
  for (const part of parts) {
    places.set(part.place_name, [...(places.get(part.place_name) ?? []), part]);
  }
  return [...places];
};

/** Makes the view for `page`: `{element}`. While seats are assigned it is the page's only view. */
export const makeParts = (page) => {
  const { store, words, views } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l" });
  const root = document.documentElement;
  let seats = "";

  const draw = drawOnChange(element, page, ["parts"], () => view());
  let wasAssigning = false;
  store.on("parts", (parts) => {
    const isAssigning = Boolean(parts?.step);
    root.dataset.assigning = String(isAssigning);
    if (isAssigning && views.current() !== "parts") {
      views.go("parts");
    } else if (parts && wasAssigning && !isAssigning) {
      views.go("table"); // it says what comes next
    }
    wasAssigning = parts ? isAssigning : wasAssigning; // between two starts of the table there are none
  });

  const assign = () => page.askAndReport({ do: "assign-seats", ...(seats !== "" && { seats: Number(seats) }) });
  const take = (step) => () => page.askAndReport({ do: "assign-step", step });
  const step = (hook, key = hook, attributes = {}) => tool(`assign-${hook}`, say(`seats ${key}`), take(hook), attributes);
  const chooseSeats = (value) => {
    seats = value;
    draw();
  };
  const drawNumber = () => {
    const options = [["", say("seats number-open")], ...SEATS.map((each) => [String(each), String(each)])];
    return pickField("assign-number", say("seats number"), seats, options, chooseSeats, { "data-assign-number": "" });
  };

  const drawStep = (now, { source }) => html`
    <section class="box stack gap-s parts-step" data-step="assign" data-asked=${now.asked} data-seat=${now.seat}>
      <p class="parts-task strong" role="status" data-task>${now.looked ? now.task : say("seats looking")}</p>
      <p class="remark" data-mood=${now.done ? "good" : "bad"} role="alert" data-assign-answer>${now.answer}</p>
      <p class="remark" data-lacks hidden=${now.lacks === ""}>${now.lacks}</p>
      <p class="soft" data-hint hidden=${now.hint === ""}>${now.hint}</p>
      <div class="cluster">
        ${now.asked === "nothing" && step("finish", "finish", MAIN)} ${step("back")}
        ${(now.asked === "reader" || now.asked === "button") && step("leave-out")}
        ${now.asked === "reader" && now.seats >= MIN_SEATS && step("enough")}
      </div>
      <details class="fold" data-fold="assign-more">
        <summary>${say("seats more")}</summary>
        <div class="stack gap-s">
          <div class="cluster fields">${drawNumber()} ${tool("assign-again", say("seats from-beginning"), assign)}</div>
          ${source !== "" && html`<div class="cluster">${step("stop")}</div>`}
        </div>
      </details>
    </section>
  `;
  const drawStart = ({ source }) => html`
    <section class="box stack gap-s">
      <p class="soft">${say("seats explain")}</p>
      <div class="cluster fields">
        ${drawNumber()} ${tool("assign", say(source === "" ? "seats assign" : "seats assign-again"), assign, MAIN)}
        ${tool("look-for-parts", say("seats look"), () => page.askAndReport({ do: "look-for-parts" }))}
      </div>
    </section>
  `;
  const drawFault = ({ fault, previous }) => html`
    <section class="box stack gap-s" role="alert" data-parts-fault>
      <p class="remark" data-mood="bad">${say("seats fault")}</p>
      <p class="soft anywhere small" lang="en">${fault}</p>
      ${previous && html`<div class="cluster">${step("previous")}</div>`}
    </section>
  `;
  /** Draws a part. The extension may have something to touch it with. */
  const drawPart = ({ address, label, roles, touched_by, place, trouble }, isAssigning) => html`
    <li class="beside table-part" key=${address} data-part=${address} data-place=${place}>
      <span class="grow anywhere">${label} <span class="soft small">${roles}</span></span>
      <span class="part-trouble" data-trouble hidden=${trouble === ""}>${trouble}</span>
      ${isAssigning && page.slots.touch(address, touched_by)}
    </li>
  `;
  const drawPlace = ([name, parts], isAssigning) => html`
    <li class="table-place" key=${name}>
      <span class="strong">${name}</span>
      <ul class="grow">${parts.map((part) => drawPart(part, isAssigning))}</ul>
    </li>
  `;

  const view = () => {
    const now = store.get("parts");
    if (now === undefined) {
      return null;
    }
    const { parts, overruled, fault, source, twins } = now;
    return html`
      ${fault !== "" && drawFault(now)} ${overruled && html`<p class="remark" data-overruled>${say("seats overruled")}</p>`}
      ${now.step === null ? drawStart(now) : drawStep(now.step, now)}
      <section class="stack gap-s">
        <h3 class="heading">${say(now.step === null ? "seats parts" : "seats found")}</h3>
        ${parts.length === 0 && html`<p class="soft">${say(source === "" ? "seats nothing-found" : "seats none")}</p>`}
        ${twins.map((sentence) => html`<p class="remark" data-twins>${sentence}</p>`)}
        <ul class="stack gap-s">${byPlace(parts).map((place) => drawPlace(place, now.step !== null))}</ul>
      </section>
    `;
  };
  return { element };
};
