// The administration view: signing in; then tables with their keys and remarks, seasons, annulments, and members. It
// must not know how a password is checked.

import { draw, el, html, icon, tool } from "/static/html.js";
import { formatTime } from "../lists.js";

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeAdmin = (page) => {
  const { words, data, showNote, confirm } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l desk" });
  let desk = null;
  let newTable = null;
  let isOpen = false;

  const showFailure = ({ why, status }) =>
    showNote(why ?? say(status === 0 ? "page unreached" : "league unread"), "bad");
  /** Executes an administrator's command, reports a failure, and loads the view again. Returns the answer. */
  const act = async (verb, fields = {}) => {
    const answer = await data.ask("do", { do: verb, language: words.language(), ...fields });
    if (!answer.ok) {
      showFailure(answer);
    } else if (answer.trouble || answer.broker) {
      showNote(answer.trouble || answer.broker, answer.trouble ? "bad" : "good");
    }
    await load();
    return answer;
  };
  const confirmAndAct = async (key, facts, verb, fields) => {
    if (await confirm({ title: say(`league ${key}`, facts), more: say(`league ${key}-more`), yes: say("page yes") })) {
      await act(verb, fields);
    }
  };
  /**
   * Makes a submit handler: passes the form's values by field name to `submit`, and resets the form if that returns
   * true.
   */
  const onSubmit = (submit) => async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = Object.fromEntries(new FormData(form));
    if (await submit(fields)) {
      form.reset();
    }
  };

  const signIn = onSubmit(async (fields) => {
    const answer = await data.ask("sign-in", { ...fields, language: words.language() });
    if (!answer.ok) {
      showFailure(answer);
    }
    await load();
    return false;
  });
  const signOut = async () => {
    newTable = null;
    await data.ask("sign-out", {});
    await load();
  };
  const addTable = onSubmit(async (fields) => {
    const answer = await act("add-table", fields);
    newTable = answer.ok ? answer : null;
    show();
    return answer.ok;
  });

  const MOMENT_ATTRIBUTES = { type: "datetime-local", required: false };
  /** Returns the name of the entry with this id, else the id. */
  const nameOf = (entries, id) => entries.find((each) => each.id === id)?.name || id;
  /**
   * Makes the handler that annuls a table's games within a span. Either end may be empty. The last minute counts whole.
   */
  const annul = (table) =>
    onSubmit(({ since, until }) => {
      const toSeconds = (typed) => Math.floor(new Date(typed).getTime() / 1000);
      const span = { ...(since && { since: toSeconds(since) }), ...(until && { until: toSeconds(until) + 59 }) };
      return confirmAndAct("annul-sure", { table: table.name }, "annul-games", { table: table.id, ...span });
    });
  const field = (name, key, attributes = {}) => html`
    <label class="field"><span class="small soft">${say(key)}</span><input name=${name} required maxlength="60" autocomplete="off" ...${attributes} /></label>
  `;
  const mainButton = (hook, key) => html`<button class="tool tool-main" data-do=${hook}>${say(key)}</button>`;

  const drawSignIn = () => html`
    ${desk.safe
      ? html`
          <form class="stack desk-form" method="post" onSubmit=${signIn} data-sign-in>
            <p class="soft">${say("league sign-in-more")}</p>
            ${field("name", "league sign-in-name", { autocomplete: "username", maxlength: "60" })}
            ${field("password", "league sign-in-password", { type: "password", autocomplete: "current-password", maxlength: "200" })}
            <p>${mainButton("sign-in", "league sign-in")}</p>
          </form>
        `
      : html`<p class="remark" data-mood="warn" data-unsafe>${say("league sign-in-unsafe")}</p>`}
  `;

  const drawRemark = (each) => html`
    <li class="remark stack gap-none" data-mood="warn" data-remark=${each.key}>
      <span>${words.has(`league-remark ${each.key}`) ? say(`league-remark ${each.key}`, each) : each.key}</span>
      <span class="soft small">${say("league remark-times", { times: each.times, when: formatTime(words, each.last) })}</span>
      ${each.about !== "" && html`<span class="soft small anywhere" lang="en">${each.about}</span>`}
    </li>
  `;
  const drawTable = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-desk-table=${each.id}>
      <p class="cluster baseline apart">
        <strong class="anywhere">${each.name}</strong>
        <span class="soft small">${each.club}</span>
      </p>
      <p class="soft small anywhere">
        ${each.id} · ${each.heard === null ? say("league never-heard") : say("league heard", { when: formatTime(words, each.heard) })}
      </p>
      <ul class="stack gap-xs">${each.remarks.map(drawRemark)}</ul>
      ${each.revoked === null
        ? html`
            <form class="cluster" onSubmit=${onSubmit(async ({ name }) => (await act("name-table", { table: each.id, name })).ok)}>
              ${field("name", "league rename")} <button class="tool" data-do="name-table">${say("league rename-go")}</button>
              ${tool("revoke", say("league revoke"), () => confirmAndAct("revoke-sure", { table: each.name }, "revoke-table", { table: each.id }), { type: "button" })}
            </form>
          `
        : html`<p class="wrong">${say("league revoked", { when: formatTime(words, each.revoked) })}</p>`}
      <form class="cluster" onSubmit=${annul(each)} data-annul>
        ${field("since", "league annul-since", MOMENT_ATTRIBUTES)} ${field("until", "league annul-until", MOMENT_ATTRIBUTES)}
        <button class="tool" data-do="annul-games">${say("league annul")}</button>
      </form>
    </li>
  `;
  const drawAnnulment = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-annulment=${each.id}>
      <strong class="anywhere">${nameOf(desk.tables, each.table)}</strong>
      <span>
        ${say(each.since === 0 ? "league annulment-all" : "league annulment-span", {
          games: each.games,
          since: formatTime(words, each.since),
          until: formatTime(words, each.until),
        })}
      </span>
      ${each.closed > 0 && html`<span data-stay>${say("league annulment-closed", { games: each.closed })}</span>`}
      <span class="soft small">${say("league annulment-by", { name: each.by, when: formatTime(words, each.at) })}</span>
      ${each.undone === null
        ? tool("undo", say("league undo"), () => confirmAndAct("undo-sure", { table: nameOf(desk.tables, each.table) }, "undo-annulment", { annulment: each.id }), { type: "button" })
        : html`<span class="soft small">${say("league annulment-undone", { when: formatTime(words, each.undone) })}</span>`}
    </li>
  `;
  const drawSeason = (each) => html`
    <li key=${each.id} class="box stack gap-s" data-desk-season=${each.id}>
      <strong class="anywhere">${each.name}</strong>
      <span class="soft small">${say("league season-span", { begins: formatTime(words, each.begins, true), ends: formatTime(words, each.ends - 1, true) })}</span>
      <form class="cluster" onSubmit=${onSubmit(async ({ name }) => (await act("name-season", { season: each.id, name })).ok)}>
        ${field("name", "league rename")} <button class="tool" data-do="name-season">${say("league rename-go")}</button>
        ${each.closed === null &&
        each.ends * 1000 <= Date.now() &&
        tool("close-season", say("league close-season"), () => confirmAndAct("close-sure", { name: each.name }, "close-season", { season: each.id }), { type: "button" })}
      </form>
      ${each.closed !== null && html`<span class="soft small" data-closed>${say("league season-closed", { when: formatTime(words, each.closed) })}</span>`}
    </li>
  `;
  const selectField = (name, key, options) => html`
    <label class="field"><span class="small soft">${say(key)}</span><select name=${name}>${options}</select></label>
  `;
  const drawLeave = (each) => {
    const facts = { name: nameOf(desk.members, each.member), table: nameOf(desk.tables, each.table) };
    const by = each.allowed_by === "" ? "league away-by-desk" : "league away-by-table";
    return html`
      <li key=${each.id} class="box cluster apart" data-leave=${each.id}>
        <span class="stack gap-none">
          <strong class="anywhere">${facts.name}</strong><span class="anywhere">${say("league away-at", facts)}</span>
          <span class="soft small">${say(by, { table: nameOf(desk.tables, each.allowed_by), when: formatTime(words, each.since) })}</span>
        </span>
        ${tool("end-away", say("league away-end"), () => confirmAndAct("away-end-sure", facts, "end-away", { leave: each.id }), { type: "button" })}
      </li>
    `;
  };
  const drawAway = () => html`
    <section class="stack">
      <h3 class="heading">${say("league away")}</h3>
      <p class="soft">${say("league away-more")}</p>
      <form class="cluster desk-form" onSubmit=${onSubmit(async (fields) => (await act("allow-away", fields)).ok)} data-allow-away>
        ${selectField("member", "league away-member", desk.members.map((each) => html`<option value=${each.id}>${each.name} · ${each.club}</option>`))}
        ${selectField("table", "league away-table", [
          html`<option value="">${say("league away-by-code")}</option>`,
          desk.tables.map((each) => html`<option value=${each.id}>${each.name} · ${each.club}</option>`),
        ])}
        ${field("code", "league away-code", { required: false, maxlength: "20" })} ${mainButton("allow-away", "league away-allow")}
      </form>
      <ul class="tiles desk-tiles">${desk.away.map(drawLeave)}</ul>
    </section>
  `;
  const drawMember = (each) => html`
    <li key=${each.id} class="box cluster apart" data-desk-member=${each.id}>
      <span class="stack gap-none"><strong class="anywhere">${each.name}</strong><span class="soft small">${say(`league shown-${each.shown}`)}</span></span>
      ${tool("delete", say("league delete"), () => confirmAndAct("delete-sure", { name: each.name }, "delete-member", { member: each.id }), { type: "button" })}
    </li>
  `;
  const drawDesk = () => html`
    <p class="cluster apart">
      <span class="soft">${say("league signed-in", { name: desk.name })}</span>
      ${tool("sign-out", say("league sign-out"), signOut, { type: "button" })}
    </p>
    <section class="stack">
      <h3 class="heading">${say("league tables")}</h3>
      ${newTable !== null &&
      html`
        <div class="remark stack gap-xs" data-mood="good" data-new-table role="status">
          <span class="beside">${icon("lock")}<span>${say("league given")}</span></span>
          <span class="small">${say("league given-id")} <code class="anywhere">${newTable.table}</code></span>
          <span class="small">${say("league given-key")} <code class="anywhere">${newTable.key}</code></span>
        </div>
      `}
      <form class="cluster desk-form" onSubmit=${addTable} data-add-table>
        ${field("name", "league table-name")}
        ${field("club", "league club", { list: "clubs", value: desk.clubs[0] ?? "" })}
        <datalist id="clubs">${desk.clubs.map((club) => html`<option value=${club}></option>`)}</datalist>
        ${mainButton("add-table", "league add-table")}
      </form>
      <ul class="tiles desk-tiles">${desk.tables.map(drawTable)}</ul>
    </section>
    ${desk.annulments.length > 0 &&
    html`
      <section class="stack">
        <h3 class="heading">${say("league annulments")}</h3>
        <ul class="tiles desk-tiles">${desk.annulments.map(drawAnnulment)}</ul>
      </section>
    `}
    <section class="stack">
      <h3 class="heading">${say("league seasons")}</h3>
      <p class="soft">${say("league seasons-more")}</p>
      <form class="cluster desk-form" onSubmit=${onSubmit(async ({ name }) => (await act("begin-season", { name })).ok)} data-begin-season>
        ${field("name", "league season-name")} ${mainButton("begin-season", "league begin-season")}
      </form>
      <ul class="tiles desk-tiles">${desk.seasons.map(drawSeason)}</ul>
    </section>
    <section class="stack">
      <h3 class="heading">${say("league view-members")}</h3>
      <p class="soft">${say("league members-more")}</p>
      <ul class="tiles desk-tiles">${desk.members.map(drawMember)}</ul>
    </section>
    ${drawAway()}
  `;

  const show = () => {
    if (desk !== null && isOpen) {
      draw(element, desk.name === null ? drawSignIn() : drawDesk());
    }
  };
  const load = async () => {
    const answer = await data.desk();
    if (answer.ok) {
      desk = answer;
      show();
    } else {
      showFailure(answer);
    }
  };
  words.onChange(show);
  return {
    element,
    opened: () => {
      isOpen = true;
      load();
    },
    closed: () => {
      isOpen = false;
      desk = newTable = null; // keep no administration data on the screen
      draw(element, null);
    },
  };
};
