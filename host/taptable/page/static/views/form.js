// A control that people fill in: numbers they say to the table, each beside what it believes. It must not know what they
// mean, nor whether they can be.

import { el } from "../elements.js";

/** What is counted by a field's name: `one_points` is counted as `one-points`. */
const countedAs = (name) => name.replaceAll("_", "-");

/** What the table believes of a seat, by the names of what is counted. */
const believed = (store, seat) => {
  const holds = (store.get("seats") ?? []).find((each) => each.seat === seat)?.holds ?? [];
  const counts = (store.get("teams") ?? []).find(({ seats }) => seats.includes(seat))?.counts ?? [];
  return new Map([...holds, ...counts].map(({ name, have }) => [name, have]));
};

/** The form of a control as `about.forms` describes it; `does` asks the table. */
export const makeForm = (page, { control, needed, optional }, does) => {
  const { store, words, names } = page;
  const title = el("h3", { class: "form-title", "data-word": `control ${control}` });
  const seats = el("select", { id: `form-${control}-seat`, data: { field: "seat" } });
  const hasSeat = needed.some(({ kind }) => kind === "seat");
  const fieldOf = ({ name, least, most }) => {
    const input = el("input", {
      id: `form-${control}-${name}`,
      class: "form-number",
      type: "number",
      inputmode: "numeric",
      min: least,
      max: most,
      step: 1,
      data: { field: name },
    });
    const label = el("label", { for: input.id, "data-word": `count-of ${countedAs(name)}` });
    return { name, input, element: el("div", { class: "form-field" }, label, input) };
  };
  const fields = [...needed, ...optional].filter(({ kind }) => kind === "whole").map(fieldOf);
  const seatField = el("div", { class: "form-field" }, el("label", { for: seats.id, "data-word": "page form-seat" }), seats);
  const element = el(
    "form",
    { class: "control-form", data: { form: control } },
    title,
    el("p", { class: "form-more", "data-word": "page form-more" }),
    el("div", { class: "form-fields" }, hasSeat ? seatField : null, ...fields.map((field) => field.element)),
    el("button", { class: "tool tool-main", type: "submit", data: { do: control }, "data-word": "page form-send" }),
  );

  const drawBelieved = () => {
    const counts = believed(store, Number(seats.value));
    fields.forEach(({ name, input }) => {
      input.placeholder = String(counts.get(countedAs(name)) ?? "");
    });
  };
  const draw = () => {
    const before = seats.value;
    const used = (store.get("seats") ?? []).filter((seat) => seat.used);
    seats.replaceChildren(...used.map(({ seat }) => el("option", { value: seat }, names.seat(seat))));
    seats.value = used.some(({ seat }) => String(seat) === before) ? before : String(used[0]?.seat ?? "");
    drawBelieved();
  };
  seats.addEventListener("change", drawBelieved);
  ["seats", "teams", "names"].forEach((part) => store.on(part, () => store.soon(draw)));

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = fields.filter(({ input }) => input.value !== "").map(({ name, input }) => [name, Number(input.value)]);
    const given = { ...(hasSeat ? { seat: Number(seats.value) } : {}), ...Object.fromEntries(said) };
    if ((await does({ do: "use-control", control, fields: given })).ok) {
      element.reset();
      draw();
    }
  });
  return element;
};
