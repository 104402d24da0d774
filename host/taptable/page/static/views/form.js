// A control that people fill in: numbers they say to the table, each beside what it believes. It must not know what they
// mean, nor whether they can be.

import { MAIN, html, pick } from "../html.js";

/** What is counted by a field's name: `one_points` is counted as `one-points`. */
const countedAs = (name) => name.replaceAll("_", "-");

/** What the table believes of a seat, by the names of what is counted. */
const believed = (store, seat) => {
  const holds = (store.get("seats") ?? []).find((each) => each.seat === seat)?.holds ?? [];
  const counts = (store.get("teams") ?? []).find(({ seats }) => seats.includes(seat))?.counts ?? [];
  return new Map([...holds, ...counts].map(({ name, have }) => [name, have]));
};

/** The form of a control as `about.forms` describes it, as a view that `draw` draws; `ask` asks the table. */
export const makeForm = ({ store, words, names }, { control, needed, optional }, ask, draw) => {
  const { say } = words;
  const hasSeat = needed.some(({ kind }) => kind === "seat");
  const fields = [...needed, ...optional].filter(({ kind }) => kind === "whole");
  let seat = 0;
  let filled = {};

  const send = async (event) => {
    event.preventDefault();
    const said = fields.map(({ name }) => [name, filled[name] ?? ""]).filter(([, text]) => text !== "");
    const numbers = Object.fromEntries(said.map(([name, text]) => [name, Number(text)]));
    if ((await ask({ do: "use-control", control, fields: { ...(hasSeat ? { seat } : {}), ...numbers } })).ok) {
      filled = {};
      draw();
    }
  };
  const field = (id, label, input) => html`<div class="field"><label for=${id}>${label}</label>${input}</div>`;

  return () => {
    const seats = (store.get("seats") ?? []).filter(({ used }) => used).map((each) => each.seat);
    seat = seats.includes(seat) ? seat : (seats[0] ?? 0);
    const counts = believed(store, seat);
    const choose = (value) => {
      seat = Number(value);
      draw();
    };
    const seatOptions = seats.map((each) => [each, names.seat(each)]);
    const pickSeat = pick(seat, seatOptions, choose, { id: `form-${control}-seat`, "data-field": "seat" });
    const numberField = ({ name, least, most }) =>
      field(
        `form-${control}-${name}`,
        say(`count-of ${countedAs(name)}`),
        html`<input id=${`form-${control}-${name}`} class="form-number" type="number" inputmode="numeric" min=${least}
          max=${most} step="1" data-field=${name} placeholder=${counts.get(countedAs(name)) ?? ""}
          value=${filled[name] ?? ""} onInput=${(event) => (filled[name] = event.target.value)} />`,
      );
    return html`
      <form class="box stack gap-s control-form" data-form=${control} onSubmit=${send}>
        <h3 class="heading">${say(`control ${control}`)}</h3>
        <p class="soft">${say("page form-more")}</p>
        <div class="cluster gap-m form-fields">
          ${hasSeat && field(`form-${control}-seat`, say("page form-seat"), pickSeat)} ${fields.map(numberField)}
        </div>
        <button type="submit" data-do=${control} ...${MAIN}>${say("page form-send")}</button>
      </form>
    `;
  };
};
