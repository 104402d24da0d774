// Describing the cards that people own: a row for each kind of card, by a form that comes with the game. What the form
// doesn't know of a description stays as it is. It must not know a game.

import { html, MAIN, tool } from "../../html.js";

const NARROW = 2;

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

/** The texts that stand in the fields of `columns` for a value. */
const textsOf = (columns, value) =>
  Object.fromEntries(columns.map(({ field, kind }) => [field, shown(kind, at(value, field))]));

/** A value as its fields have it now; what isn't among them, or isn't to be seen, is away. */
const valueOf = (columns, value, texts) => {
  const found = structuredClone(value);
  columns.forEach((column) =>
    put(found, column.field, isAsked(column, texts) ? meant(column.kind, texts[column.field]) : undefined),
  );
  return found;
};

/** Is a field wanted, as another one stands? */
const isAsked = ({ if: condition }, texts) => condition === undefined || condition.slice(1).includes(texts[condition[0]]);

/** The editor for `page`: `{open, shown, view}`; `draw` draws it, `close` leads back. */
export const makeDescribing = (page, draw, close) => {
  const { say } = page.words;
  let about = null;
  let trouble = "";
  /** What is filled in: `{texts}` of the fields, and by the names of the tables rows of `{id, key, value, texts}`. */
  let filled = null;
  let ids = 0;

  const rowOf = (table, key, value) => {
    ids += 1;
    return { id: `manifest-${ids}`, name: key, key, value, texts: textsOf(table.columns, value) };
  };
  const load = async (message) => {
    const answer = await page.does({ do: "read-manifest", ...message });
    if (!answer.ok) {
      return false;
    }
    const { game, form, words, manifest } = answer;
    about = { deck: message.deck, game, form, words, manifest };
    const rowsOf = (table) => Object.entries(manifest[table.table] ?? {}).map(([key, value]) => rowOf(table, key, value));
    filled = {
      texts: textsOf(form.fields, manifest),
      tables: Object.fromEntries(form.tables.map((table) => [table.table, rowsOf(table)])),
    };
    draw();
    return true;
  };
  const failed = (why) => {
    trouble = why;
    draw();
    return null;
  };
  const leave = () => {
    about = null;
    close();
  };

  /** The rows of a table by their names; null, and a name that stands there twice or not at all is gone to. */
  const readTable = (table) => {
    const found = {};
    for (const { id, key, value, texts } of filled.tables[table.table]) {
      const name = key.trim();
      if (name === "" || name in found) {
        document.getElementById(`${id}-key`).focus();
        return failed(say(name === "" ? "page describe-no-name" : "page describe-twice", { name }));
      }
      found[name] = valueOf(table.columns, value, texts);
    }
    return found;
  };
  /** What is filled in; null if a row has no name of its own. */
  const read = () => {
    const found = valueOf(about.form.fields, about.manifest, filled.texts);
    for (const table of about.form.tables) {
      found[table.table] = readTable(table);
      if (found[table.table] === null) {
        return null;
      }
    }
    return found;
  };
  const save = async () => {
    failed("");
    const manifest = read();
    if (manifest === null) {
      return;
    }
    const { deck, game } = about;
    const answer = await page.ask({ do: "describe-deck", deck, game, manifest: JSON.stringify(manifest) });
    if (answer.ok) {
      page.say(say("page describe-saved", { deck, need: answer.need }));
      leave();
    } else {
      failed(answer.why);
    }
  };

  const fieldOf = (id, { field, kind, words }, label, say, value, change) => {
    const typed = ({ target }) => {
      change(target.value);
      draw();
    };
    const given = { id: `${id}-${field}`, "data-field": field, value, onInput: typed };
    const option = (word) => html`<option value=${word}>${say(`${field} ${word || "nothing"}`)}</option>`;
    const mode = kind === "whole" ? "numeric" : null;
    const draws = {
      choice: () => html`<select ...${given}>${words.map(option)}</select>`,
      sentences: () => html`<textarea ...${given} rows="2"></textarea>`,
      text: () => html`<input ...${given} type="text" autocomplete="off" inputmode=${mode} />`,
    };
    return html`
      <div class="field" key=${field} data-kind=${kind} data-narrow=${label.length <= NARROW ? "" : null}>
        <label for=${given.id}>${label}</label>
        ${(draws[kind] ?? draws.text)()}
      </div>
    `;
  };

  const typeInto = (texts, { field }) => (text) => (texts[field] = text);
  const drawRow = (table, row) => {
    const said = (word) => about.words[`${table.table} ${word}`] ?? about.words[word] ?? word;
    const drop = () => {
      filled.tables[table.table] = filled.tables[table.table].filter((each) => each !== row);
      draw();
    };
    return html`
      <fieldset class="describe-row" key=${row.id} data-row=${row.name}>
        ${fieldOf(row.id, { field: "key", kind: "text" }, said("key"), said, row.key, (text) => (row.key = text))}
        ${table.columns
          .filter((column) => isAsked(column, row.texts))
          .map((column) =>
            fieldOf(row.id, column, said(column.field), said, row.texts[column.field], typeInto(row.texts, column)),
          )}
        ${tool("drop-row", say("page describe-drop"), drop)}
      </fieldset>
    `;
  };

  const drawTable = (table) => {
    const name = table.table;
    const add = () => {
      const row = rowOf(table, "", {});
      filled.tables[name].push(row);
      draw();
      document.getElementById(`${row.id}-key`).focus();
    };
    return html`
      <section class="stack" key=${name} data-table=${name}>
        <h4 class="strong">${about.words[name] ?? name}</h4>
        <div class="stack">${filled.tables[name].map((row) => drawRow(table, row))}</div>
        ${tool("add-row", about.words[`${name} add`] ?? say("page describe-add"), add, { "data-table": name })}
      </section>
    `;
  };

  const single = (word) => about.words[word] ?? word;
  const anew = () => load({ deck: about.deck, game: about.game, anew: true });

  return {
    shown: () => about !== null,
    /** Describe the cards of a deck `{name, game}`, or of a new one of a game. */
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
              const [{ field }, { texts }] = [column, filled];
              return fieldOf("manifest", column, single(field), single, texts[field], typeInto(texts, column));
            })}
          </div>
          ${about.form.tables.map(drawTable)}
        </form>
        <p class="remark" data-mood="bad" role="alert" data-describe-trouble>${trouble}</p>
        <div class="cluster">
          ${tool("describe-save", say("page describe-save"), save, MAIN)}
          ${tool("describe-sample", say("page describe-sample"), anew)}
          ${tool("describe-close", say("page describe-close"), leave)}
        </div>
      </section>
    `,
  };
};
