// Edits the description (manifest) of people's own cards: a row per kind, in the form that the game supplies. Fields
// unknown to the form are kept. It must not know the game.

import { html, MAIN, tool } from "../../html.js";

const MAX_NARROW_LABEL = 2;

const getPath = (object, path) => path.split(".").reduce((found, key) => found?.[key], object);

/** Sets the value at a path, or deletes it (undefined) together with parents that become empty. */
const setPath = (object, path, value) => {
  const [first, ...rest] = path.split(".");
  if (rest.length > 0) {
    object[first] = { ...object[first] };
    setPath(object[first], rest.join("."), value);
    if (Object.keys(object[first]).length === 0) {
      delete object[first];
    }
  } else if (value === undefined) {
    delete object[first];
  } else {
    object[first] = value;
  }
};

const toFieldText = (kind, value) => (kind === "list" ? (value ?? []).join(" ") : String(value ?? ""));

/**
 * Converts a field's text: undefined, a number, a list or a text. Text in a number field is passed on as it is; the
 * table refuses it with a reason.
 */
const fromFieldText = (kind, text) => {
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

/** Returns the texts of the fields in `columns` for a value. */
const textsOf = (columns, value) =>
  Object.fromEntries(columns.map(({ field, kind }) => [field, toFieldText(kind, getPath(value, field))]));

/** Returns a value with the fields' current contents; empty and invisible fields are removed. */
const valueOf = (columns, value, texts) => {
  const result = structuredClone(value);
  columns.forEach((column) =>
    setPath(result, column.field, isVisible(column, texts) ? fromFieldText(column.kind, texts[column.field]) : undefined),
  );
  return result;
};

/** Whether a field is shown, which may depend on another field's text. */
const isVisible = ({ if: condition }, texts) => condition === undefined || condition.slice(1).includes(texts[condition[0]]);

/** Makes the editor: `{isOpen, open, view}`. `draw` renders it, `onClose` runs when it closes. */
export const makeDeckEditor = (page, draw, onClose) => {
  const { say } = page.words;
  let about = null;
  let trouble = "";
  /** Unsaved input: `texts` of the fields, and in `tables`, by name, rows of `{id, name, key, value, texts}`. */
  let inputs = null;
  let ids = 0;

  const rowOf = (table, key, value) => {
    ids += 1;
    return { id: `manifest-${ids}`, name: key, key, value, texts: textsOf(table.columns, value) };
  };
  const load = async (message) => {
    const answer = await page.askAndReport({ do: "read-manifest", ...message });
    if (!answer.ok) {
      return false;
    }
    const { game, form, words, manifest } = answer;
    about = { deck: message.deck, game, form, words, manifest };
    const rowsOf = (table) => Object.entries(manifest[table.table] ?? {}).map(([key, value]) => rowOf(table, key, value));
    inputs = {
      texts: textsOf(form.fields, manifest),
      tables: Object.fromEntries(form.tables.map((table) => [table.table, rowsOf(table)])),
    };
    draw();
    return true;
  };
  const showTrouble = (why) => {
    trouble = why;
    draw();
    return null;
  };
  const closeEditor = () => {
    about = null;
    onClose();
  };

  /** Returns a table's rows by key. For a missing or repeated key it focuses the field and returns null. */
  const readTable = (table) => {
    const entries = {};
    for (const { id, key, value, texts } of inputs.tables[table.table]) {
      const name = key.trim();
      if (name === "" || name in entries) {
        document.getElementById(`${id}-key`).focus();
        return showTrouble(say(name === "" ? "page describe-no-name" : "page describe-twice", { name }));
      }
      entries[name] = valueOf(table.columns, value, texts);
    }
    return entries;
  };
  /** Returns the whole description; null if a row has no unique key. */
  const readManifest = () => {
    const manifest = valueOf(about.form.fields, about.manifest, inputs.texts);
    for (const table of about.form.tables) {
      manifest[table.table] = readTable(table);
      if (manifest[table.table] === null) {
        return null;
      }
    }
    return manifest;
  };
  const save = async () => {
    showTrouble("");
    const manifest = readManifest();
    if (manifest === null) {
      return;
    }
    const { deck, game } = about;
    const answer = await page.ask({ do: "describe-deck", deck, game, manifest: JSON.stringify(manifest) });
    if (answer.ok) {
      page.showNote(say("page describe-saved", { deck, need: answer.need }));
      closeEditor();
    } else {
      showTrouble(answer.why);
    }
  };

  const drawField = (id, { field, kind, words }, label, say, value, onChange) => {
    const onInput = ({ target }) => {
      onChange(target.value);
      draw();
    };
    const attributes = { id: `${id}-${field}`, "data-field": field, value, onInput };
    const option = (word) => html`<option value=${word}>${say(`${field} ${word || "nothing"}`)}</option>`;
    const mode = kind === "whole" ? "numeric" : null;
    const controls = {
      choice: () => html`<select ...${attributes}>${words.map(option)}</select>`,
      sentences: () => html`<textarea ...${attributes} rows="2"></textarea>`,
      text: () => html`<input ...${attributes} type="text" autocomplete="off" inputmode=${mode} />`,
    };
    return html`
      <div class="field" key=${field} data-kind=${kind} data-narrow=${label.length <= MAX_NARROW_LABEL ? "" : null}>
        <label for=${attributes.id}>${label}</label>
        ${(controls[kind] ?? controls.text)()}
      </div>
    `;
  };

  const textSetter = (texts, { field }) => (text) => (texts[field] = text);
  const drawRow = (table, row) => {
    const labelFor = (word) => about.words[`${table.table} ${word}`] ?? about.words[word] ?? word;
    const removeRow = () => {
      inputs.tables[table.table] = inputs.tables[table.table].filter((each) => each !== row);
      draw();
    };
    return html`
      <fieldset class="describe-row" key=${row.id} data-row=${row.name}>
        ${drawField(row.id, { field: "key", kind: "text" }, labelFor("key"), labelFor, row.key, (text) => (row.key = text))}
        ${table.columns
          .filter((column) => isVisible(column, row.texts))
          .map((column) =>
            drawField(row.id, column, labelFor(column.field), labelFor, row.texts[column.field], textSetter(row.texts, column)),
          )}
        ${tool("drop-row", say("page describe-drop"), removeRow)}
      </fieldset>
    `;
  };

  const drawTable = (table) => {
    const name = table.table;
    const addRow = () => {
      const row = rowOf(table, "", {});
      inputs.tables[name].push(row);
      draw();
      document.getElementById(`${row.id}-key`).focus();
    };
    return html`
      <section class="stack" key=${name} data-table=${name}>
        <h4 class="strong">${about.words[name] ?? name}</h4>
        <div class="stack">${inputs.tables[name].map((row) => drawRow(table, row))}</div>
        ${tool("add-row", about.words[`${name} add`] ?? say("page describe-add"), addRow, { "data-table": name })}
      </section>
    `;
  };

  const labelFor = (word) => about.words[word] ?? word;
  const loadSample = () => load({ deck: about.deck, game: about.game, anew: true });

  return {
    isOpen: () => about !== null,
    /** Opens the editor for a deck `{name, game}`, or for a new one. */
    open: ({ name, game }) => {
      trouble = "";
      return load({ deck: name, game });
    },
    view: () => html`
      <section class="stack" data-describing>
        <h3 class="heading anywhere" tabindex="-1">${say("page describe-title", { deck: about.deck })}</h3>
        <p class="soft">${say("page describe-more")}</p>
        <form class="stack" data-form="describe" data-describe onSubmit=${(event) => event.preventDefault()}>
          <div class="describe-row">
            ${about.form.fields.map((column) => {
              const [{ field }, { texts }] = [column, inputs];
              return drawField("manifest", column, labelFor(field), labelFor, texts[field], textSetter(texts, column));
            })}
          </div>
          ${about.form.tables.map(drawTable)}
        </form>
        <p class="remark" data-mood="bad" role="alert" data-describe-trouble>${trouble}</p>
        <div class="cluster">
          ${tool("describe-save", say("page describe-save"), save, MAIN)}
          ${tool("describe-sample", say("page describe-sample"), loadSample)}
          ${tool("describe-close", say("page describe-close"), closeEditor)}
        </div>
      </section>
    `,
  };
};
