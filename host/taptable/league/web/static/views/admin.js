// The administrator's desk: signing in, and then tables with their keys and remarks, seasons, and members. It must not
// know how a password is looked at.

import { draw, el, html, sign, tool } from "/static/html.js";
import { when } from "../lists.js";

/** The view for `page`: `{element, opened, closed}`. */
export const makeDesk = (page) => {
  const { words, data, say: note, confirm } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l desk" });
  let told = null;
  let given = null;
  let open = false;

  const failed = ({ why, status }) => note(why ?? say(status === 0 ? "page unreached" : "league unread"), "bad");
  /** Do something at the desk, and show it as it is then; the answer. */
  const act = async (what, fields = {}) => {
    const answer = await data.ask("do", { do: what, language: words.language(), ...fields });
    if (!answer.ok) {
      failed(answer);
    } else if (answer.trouble || answer.broker) {
      note(answer.trouble || answer.broker, answer.trouble ? "bad" : "good");
    }
    await load();
    return answer;
  };
  const sure = async (key, facts, what, fields) => {
    if (await confirm({ title: say(`league ${key}`, facts), more: say(`league ${key}-more`), yes: say("page yes") })) {
      await act(what, fields);
    }
  };
  /** What is typed into a form, by the names of its fields; the form is empty then. */
  const submitted = (does) => async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = Object.fromEntries(new FormData(form));
    if (await does(fields)) {
      form.reset();
    }
  };

  const signIn = submitted(async (fields) => {
    const answer = await data.ask("sign-in", { ...fields, language: words.language() });
    if (!answer.ok) {
      failed(answer);
    }
    await load();
    return false;
  });
  const signOut = async () => {
    given = null;
    await data.ask("sign-out", {});
    await load();
  };
  const addTable = submitted(async (fields) => {
    const answer = await act("add-table", fields);
    given = answer.ok ? answer : null;
    show();
    return answer.ok;
  });

  const moment = { type: "datetime-local", required: false };
  /** What of these has that id is called, or else the id. */
  const named = (these, id) => these.find((each) => each.id === id)?.name || id;
  /** Annul the games of a table in a span, whose ends may be left open; a minute counts whole. */
  const annul = (of) =>
    submitted(({ since, until }) => {
      const second = (typed) => Math.floor(new Date(typed).getTime() / 1000);
      const span = { ...(since && { since: second(since) }), ...(until && { until: second(until) + 59 }) };
      return sure("annul-sure", { table: of.name }, "annul-games", { table: of.id, ...span });
    });
  const field = (name, key, of = {}) => html`
    <label class="field"><span class="small soft">${say(key)}</span><input name=${name} required maxlength="60" autocomplete="off" ...${of} /></label>
  `;
  const go = (hook, key) => html`<button class="tool tool-main" data-do=${hook}>${say(key)}</button>`;

  const drawSignIn = () => html`
    ${told.safe
      ? html`
          <form class="stack desk-form" method="post" onSubmit=${signIn} data-sign-in>
            <p class="soft">${say("league sign-in-more")}</p>
            ${field("name", "league sign-in-name", { autocomplete: "username", maxlength: "60" })}
            ${field("password", "league sign-in-password", { type: "password", autocomplete: "current-password", maxlength: "200" })}
            <p>${go("sign-in", "league sign-in")}</p>
          </form>
        `
      : html`<p class="remark" data-mood="warn" data-unsafe>${say("league sign-in-unsafe")}</p>`}
  `;

  const remark = (each) => html`
    <li class="remark stack gap-none" data-mood="warn" data-remark=${each.key}>
      <span>${words.has(`league-remark ${each.key}`) ? say(`league-remark ${each.key}`, each) : each.key}</span>
      <span class="soft small">${say("league remark-times", { times: each.times, when: when(words, each.last) })}</span>
      ${each.about !== "" && html`<span class="soft small anywhere" lang="en">${each.about}</span>`}
    </li>
  `;
  const table = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-desk-table=${each.id}>
      <p class="cluster baseline apart">
        <strong class="anywhere">${each.name}</strong>
        <span class="soft small">${each.club}</span>
      </p>
      <p class="soft small anywhere">
        ${each.id} · ${each.heard === null ? say("league never-heard") : say("league heard", { when: when(words, each.heard) })}
      </p>
      <ul class="stack gap-xs">${each.remarks.map(remark)}</ul>
      ${each.revoked === null
        ? html`
            <form class="cluster" onSubmit=${submitted(async ({ name }) => (await act("name-table", { table: each.id, name })).ok)}>
              ${field("name", "league rename")} <button class="tool" data-do="name-table">${say("league rename-go")}</button>
              ${tool("revoke", say("league revoke"), () => sure("revoke-sure", { table: each.name }, "revoke-table", { table: each.id }), { type: "button" })}
            </form>
          `
        : html`<p class="wrong">${say("league revoked", { when: when(words, each.revoked) })}</p>`}
      <form class="cluster" onSubmit=${annul(each)} data-annul>
        ${field("since", "league annul-since", moment)} ${field("until", "league annul-until", moment)}
        <button class="tool" data-do="annul-games">${say("league annul")}</button>
      </form>
    </li>
  `;
  const annulment = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-annulment=${each.id}>
      <strong class="anywhere">${named(told.tables, each.table)}</strong>
      <span>
        ${say(each.since === 0 ? "league annulment-all" : "league annulment-span", {
          games: each.games,
          since: when(words, each.since),
          until: when(words, each.until),
        })}
      </span>
      ${each.closed > 0 && html`<span data-stay>${say("league annulment-closed", { games: each.closed })}</span>`}
      <span class="soft small">${say("league annulment-by", { name: each.by, when: when(words, each.at) })}</span>
      ${each.undone === null
        ? tool("undo", say("league undo"), () => sure("undo-sure", { table: named(told.tables, each.table) }, "undo-annulment", { annulment: each.id }), { type: "button" })
        : html`<span class="soft small">${say("league annulment-undone", { when: when(words, each.undone) })}</span>`}
    </li>
  `;
  const season = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-desk-season=${each.id}>
      <strong class="anywhere">${each.name}</strong>
      <span class="soft small">${say("league season-span", { begins: when(words, each.begins, true), ends: when(words, each.ends - 1, true) })}</span>
      <form class="cluster" onSubmit=${submitted(async ({ name }) => (await act("name-season", { season: each.id, name })).ok)}>
        ${field("name", "league rename")} <button class="tool" data-do="name-season">${say("league rename-go")}</button>
        ${each.closed === null &&
        each.ends * 1000 <= Date.now() &&
        tool("close-season", say("league close-season"), () => sure("close-sure", { name: each.name }, "close-season", { season: each.id }), { type: "button" })}
      </form>
      ${each.closed !== null && html`<span class="soft small" data-closed>${say("league season-closed", { when: when(words, each.closed) })}</span>`}
    </li>
  `;
  const choose = (name, key, options) => html`
    <label class="field"><span class="small soft">${say(key)}</span><select name=${name}>${options}</select></label>
  `;
  const leave = (each) => {
    const facts = { name: named(told.members, each.member), table: named(told.tables, each.table) };
    const by = each.allowed_by === "" ? "league away-by-desk" : "league away-by-table";
    return html`
      <li key=${each.id} class="box cluster apart" data-leave=${each.id}>
        <span class="stack gap-none">
          <strong class="anywhere">${facts.name}</strong><span class="anywhere">${say("league away-at", facts)}</span>
          <span class="soft small">${say(by, { table: named(told.tables, each.allowed_by), when: when(words, each.since) })}</span>
        </span>
        ${tool("end-away", say("league away-end"), () => sure("away-end-sure", facts, "end-away", { leave: each.id }), { type: "button" })}
      </li>
    `;
  };
  const drawAway = () => html`
    <section class="stack">
      <h3 class="heading">${say("league away")}</h3>
      <p class="soft">${say("league away-more")}</p>
      <form class="cluster desk-form" onSubmit=${submitted(async (fields) => (await act("allow-away", fields)).ok)} data-allow-away>
        ${choose("member", "league away-member", told.members.map((each) => html`<option value=${each.id}>${each.name} · ${each.club}</option>`))}
        ${choose("table", "league away-table", [
          html`<option value="">${say("league away-by-code")}</option>`,
          told.tables.map((each) => html`<option value=${each.id}>${each.name} · ${each.club}</option>`),
        ])}
        ${field("code", "league away-code", { required: false, maxlength: "20" })} ${go("allow-away", "league away-allow")}
      </form>
      <ul class="tiles desk-tiles">${told.away.map(leave)}</ul>
    </section>
  `;
  const member = (each) => html`
    <li key=${each.id} class="box cluster apart" data-desk-member=${each.id}>
      <span class="stack gap-none"><strong class="anywhere">${each.name}</strong><span class="soft small">${say(`league shown-${each.shown}`)}</span></span>
      ${tool("delete", say("league delete"), () => sure("delete-sure", { name: each.name }, "delete-member", { member: each.id }), { type: "button" })}
    </li>
  `;
  const drawDesk = () => html`
    <p class="cluster apart">
      <span class="soft">${say("league signed-in", { name: told.name })}</span>
      ${tool("sign-out", say("league sign-out"), signOut, { type: "button" })}
    </p>
    <section class="stack">
      <h3 class="heading">${say("league tables")}</h3>
      ${given !== null &&
      html`
        <div class="remark stack gap-xs" data-mood="good" data-given role="status">
          <span class="beside">${sign("lock")}<span>${say("league given")}</span></span>
          <span class="small">${say("league given-id")} <code class="anywhere">${given.table}</code></span>
          <span class="small">${say("league given-key")} <code class="anywhere">${given.key}</code></span>
        </div>
      `}
      <form class="cluster desk-form" onSubmit=${addTable} data-add-table>
        ${field("name", "league table-name")}
        ${field("club", "league club", { list: "clubs", value: told.clubs[0] ?? "" })}
        <datalist id="clubs">${told.clubs.map((club) => html`<option value=${club}></option>`)}</datalist>
        ${go("add-table", "league add-table")}
      </form>
      <ul class="tiles desk-tiles">${told.tables.map(table)}</ul>
    </section>
    ${told.annulments.length > 0 &&
    html`
      <section class="stack">
        <h3 class="heading">${say("league annulments")}</h3>
        <ul class="tiles desk-tiles">${told.annulments.map(annulment)}</ul>
      </section>
    `}
    <section class="stack">
      <h3 class="heading">${say("league seasons")}</h3>
      <p class="soft">${say("league seasons-more")}</p>
      <form class="cluster desk-form" onSubmit=${submitted(async ({ name }) => (await act("begin-season", { name })).ok)} data-begin-season>
        ${field("name", "league season-name")} ${go("begin-season", "league begin-season")}
      </form>
      <ul class="tiles desk-tiles">${told.seasons.map(season)}</ul>
    </section>
    <section class="stack">
      <h3 class="heading">${say("league view-members")}</h3>
      <p class="soft">${say("league members-more")}</p>
      <ul class="tiles desk-tiles">${told.members.map(member)}</ul>
    </section>
    ${drawAway()}
  `;

  const show = () => {
    if (told !== null && open) {
      draw(element, told.name === null ? drawSignIn() : drawDesk());
    }
  };
  const load = async () => {
    const answer = await data.desk();
    if (answer.ok) {
      told = answer;
      show();
    } else {
      failed(answer);
    }
  };
  words.onChange(show);
  return {
    element,
    opened: () => {
      open = true;
      load();
    },
    closed: () => {
      open = false;
      told = given = null; // nothing of it stays on the screen
      draw(element, null);
    },
  };
};
