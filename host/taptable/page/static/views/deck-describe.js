// Describing the cards that people own: a row for each kind of card, by a form that comes with the game. What the form
// doesn't know of a description stays as it is. It must not know a game.

import { el, setData, setText } from "../elements.js";

const at = (whole, path) => path.split(".").reduce((found, key) => found?.[key], whole);

/** Put a value where the path leads, or take it away (undefined), and with it what holds nothing any more. */
const put = (whole, path, value) => {
  const [first, ...rest] = path.split(".");
  if (rest.length > 0) {
    whole[first] = { ...whole[first] };
    put(whole[first], rest.join("."), value);
    if (Object.keys(whole[first]).length === 0) {
      delete whole[first];
    }
  } else if (value === undefined) {
    delete whole[first];
  } else {
    whole[first] = value;
  }
};

const shown = (kind, value) => (kind === "list" ? (value ?? []).join(" ") : String(value ?? ""));

/** What a field says: nothing, a number, a list or a text. What is no number goes as it is, and the table says so. */
const meant = (kind, text) => {
  if (text.trim() === "") {
    return kind === "list" ? [] : undefined;
  }
  switch (kind) {
    case "whole":
      return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text.trim();
    case "list":
      return text.split(/[\s,;]+/).filter((each) => each !== "");
    default:
      return text.trim();
  }
};

const NARROW = 2;
let fields = 0;

/** A field with its label; `say` has the words of the game. */
const makeField = ({ field, kind, words }, label, say, value) => {
  fields += 1;
  const id = `manifest-${fields}`;
  const input =
    kind === "choice"
      ? el("select", { id }, ...words.map((word) => el("option", { value: word }, say(`${field} ${word || "nothing"}`))))
      : el("input", { id, type: "text", autocomplete: "off", inputmode: kind === "whole" ? "numeric" : null });
  setData(input, "field", field);
  input.value = shown(kind, value);
  const element = el("div", { class: "deck-field" }, el("label", { for: id }, label), input);
  setData(element, "narrow", label.length <= NARROW ? "" : null);
  return { element, input, kind, field };
};

/** The editor for `page`: `{element, open, shown}`; `close` leads back. */
export const makeDescribing = (page, close) => {
  const { words } = page;
  const title = el("h3", { class: "deck-title", tabindex: "-1" });
  const more = el("p", { class: "describe-more", "data-word": "page describe-more" });
  const form = el("form", { class: "describe-form", data: { describe: "" } });
  const trouble = el("p", { class: "deck-trouble", role: "alert", data: { describeTrouble: "" } });
  const button = (hook, wordKey, className = "tool", type = "button") =>
    el("button", { class: className, type, "data-word": wordKey, data: { do: hook } });
  const save = button("describe-save", "page describe-save", "tool tool-main");
  const again = button("describe-sample", "page describe-sample");
  const back = button("describe-close", "page describe-close");
  const element = el(
    "section",
    { class: "describe", data: { describing: "" } },
    title,
    more,
    form,
    trouble,
    el("div", { class: "deck-tools" }, save, again, back),
  );
  let about = null;
  let sections = [];

  const failed = (why) => {
    trouble.hidden = why === "";
    setText(trouble, why);
  };

  const makeRow = (table, key, value, remove) => {
    const say = (word) => about.words[`${table.table} ${word}`] ?? about.words[word] ?? word;
    const name = makeField({ field: "key", kind: "text" }, say("key"), say, key);
    const made = table.columns.map((column) => makeField(column, say(column.field), say, at(value, column.field)));
    const drop = el("button", { class: "tool", type: "button", data: { do: "drop-row" } }, words.say("page describe-drop"));
    const row = el(
      "fieldset",
      { class: "describe-row", data: { row: key } },
      name.element,
      ...made.map((each) => each.element),
      drop,
    );
    const adapt = () =>
      table.columns.forEach((column, number) => {
        if (column.if !== undefined) {
          const [other, ...values] = column.if;
          made[number].element.hidden = !values.includes(made.find(({ field }) => field === other).input.value);
        }
      });
    row.addEventListener("change", adapt);
    adapt();
    drop.addEventListener("click", remove);
    return {
      element: row,
      first: name.input,
      key: () => name.input.value.trim(),
      read: () => {
        const found = structuredClone(value);
        made.forEach(({ field, kind, input, element: place }) =>
          put(found, field, place.hidden ? undefined : meant(kind, input.value)),
        );
        return found;
      },
    };
  };

  const makeTable = (table, told) => {
    let rows = [];
    const list = el("div", { class: "describe-rows" });
    const add = (key, value) => {
      const row = makeRow(table, key, value, () => {
        rows = rows.filter((each) => each !== row);
        row.element.remove();
      });
      rows.push(row);
      list.append(row.element);
      return row;
    };
    Object.entries(told[table.table] ?? {}).forEach(([key, value]) => add(key, value));
    const another = el("button", { class: "tool", type: "button", data: { do: "add-row", table: table.table } });
    setText(another, about.words[`${table.table} add`] ?? words.say("page describe-add"));
    another.addEventListener("click", () => add("", {}).first.focus());
    const heading = el("h4", { class: "deck-heading" }, about.words[table.table] ?? table.table);
    return {
      element: el("section", { class: "describe-table", data: { table: table.table } }, heading, list, another),
      /** The rows by their names; null, and a name that stands there twice or not at all is gone to. */
      read: () => {
        const found = {};
        for (const row of rows) {
          const key = row.key();
          if (key === "" || key in found) {
            failed(words.say(key === "" ? "page describe-no-name" : "page describe-twice", { name: key }));
            row.first.focus();
            return null;
          }
          found[key] = row.read();
        }
        return found;
      },
    };
  };

  const fill = (manifest) => {
    const say = (word) => about.words[word] ?? word;
    const single = about.form.fields.map((each) => makeField(each, say(each.field), say, at(manifest, each.field)));
    const tables = about.form.tables.map((table) => [table.table, makeTable(table, manifest)]);
    form.replaceChildren(
      el("div", { class: "describe-row" }, ...single.map((each) => each.element)),
      ...tables.map(([, table]) => table.element),
    );
    sections = { manifest, single, tables };
  };

  /** What is filled in; null if a row has no name of its own. */
  const read = () => {
    const found = structuredClone(sections.manifest);
    sections.single.forEach(({ field, kind, input }) => put(found, field, meant(kind, input.value)));
    for (const [name, table] of sections.tables) {
      const rows = table.read();
      if (rows === null) {
        return null;
      }
      found[name] = rows;
    }
    return found;
  };

  const load = async (message) => {
    const answer = await page.ask({ do: "read-manifest", ...message });
    if (!answer.ok) {
      page.say(answer.why, "bad");
      return false;
    }
    about = { ...about, game: answer.game, form: answer.form, words: answer.words };
    fill(answer.manifest);
    return true;
  };

  const leave = () => {
    about = null;
    close();
  };
  back.addEventListener("click", leave);
  again.addEventListener("click", () => load({ deck: about.deck, game: about.game, anew: true }));
  form.addEventListener("submit", (event) => event.preventDefault());
  save.addEventListener("click", async () => {
    failed("");
    const manifest = read();
    if (manifest === null) {
      return;
    }
    const answer = await page.ask({
      do: "describe-deck",
      deck: about.deck,
      game: about.game,
      manifest: JSON.stringify(manifest),
    });
    if (answer.ok) {
      page.say(words.say("page describe-saved", { deck: about.deck, need: answer.need }));
      leave();
    } else {
      failed(answer.why);
    }
  });

  return {
    element,
    shown: () => about !== null,
    /** Describe the cards of a deck, or of a new one of a game. */
    open: async (deck, game) => {
      about = { deck };
      failed("");
      if (!(await load({ deck, game }))) {
        about = null;
        return false;
      }
      setText(title, words.say("page describe-title", { deck }));
      words.fill(element);
      return true;
    },
    focus: () => title.focus({ preventScroll: true }),
  };
};
