// The people at the table: seats with their players, the members who have cards of their own, a card to be enrolled,
// and redaction of names. It must not know what a card is, nor what a seat means in a game.

import { drawOnChange, el, html, icon, pick, pickField, submit, textField, tool } from "../html.js";
import { badge, dot, MAX_NAME_LENGTH } from "../names.js";
import { saveFile } from "../storage.js";

const COLOURS = ["#ff9d8f", "#8ec1ff", "#86e3a8", "#cdb0ff", "#f2d06b", "#85dfe6", "#ffbe5c", "#ff9dbd"];
const SHOWN_CHOICES = ["name", "initial", "nothing"];
const ICON = { accepted: "yes", refused: "no", fault: "no" };
const NEW = "new";
const NAME_ATTRIBUTES = { maxlength: MAX_NAME_LENGTH, "data-person-name": "" };
const SHOWN_ATTRIBUTES = { "data-person-shown": "" };
const COLOUR_ATTRIBUTES = { type: "color", "data-person-colour": "" };
const REDACTED_ATTRIBUTES = { maxlength: MAX_NAME_LENGTH };
const CODE_ATTRIBUTES = { maxlength: 20, autocapitalize: "characters" };

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makePeople = (page) => {
  const { store, words, names } = page;
  const { say } = words;
  const element = el("div", { class: "stack gap-l" });
  /** All members; null if they aren't loaded, or may not be seen from here. */
  let members = null;
  let membersRevision = null;
  let open = false;
  /** Unsaved input for each member and for a new one. */
  const inputs = new Map();
  let redactedName = "";
  /** The code that is `shown` here, and the `member` for whom another table's `code` is entered. */
  let away = { shown: "", member: "", code: "" };

  const draw = drawOnChange(element, page, ["people", "names", "table"], () => view());
  const setInput = (id, changes) => {
    inputs.set(id, { ...inputs.get(id), ...changes });
    draw();
  };
  const load = async () => {
    membersRevision = store.get("people")?.told ?? null;
    members = await page.askForMembers();
    // drop unsaved input for deleted members
    const isGone = (id) => id !== NEW && members !== null && !members.some((member) => member.id === id);
    [...inputs.keys()].filter(isGone).forEach((id) => inputs.delete(id));
    draw();
  };
  page.access.onChange(() => open && load());

  /** Sends a request; failures are shown. Returns whether it succeeded. */
  const ask = async (message, sentence) => (await page.askAndReport(message, sentence)).ok;
  const enrol = async (event) => {
    event.preventDefault();
    const { name = "", colour, shown = SHOWN_CHOICES[0] } = inputs.get(NEW) ?? {};
    if (await ask({ do: "enrol-member", name, shown, ...(colour && { colour }) })) {
      inputs.delete(NEW);
      draw();
    }
  };
  const change = async (event, member) => {
    event.preventDefault();
    const { name, colour, shown } = { ...member, ...inputs.get(member.id) };
    if (await ask({ do: "change-member", member: member.id, name, colour, shown }, say("page people-saved", { name }))) {
      inputs.delete(member.id);
    }
  };
  const newCard = async ({ id, name, tags }) => {
    const answer =
      tags === 0
        ? "first"
        : await page.choose({
            asks: "new-card",
            title: say("page people-card-sure", { name }),
            more: say("page people-card-more"),
            answers: [
              ["cancel", say("page cancel")],
              ["also", say("page people-card-also")],
              ["lost", say("page people-card-lost")],
            ],
          });
    if (answer !== null && answer !== "cancel") {
      await ask({ do: "enrol-member", member: id, replace: answer === "lost" });
    }
  };
  const remove = async ({ id, name }) => {
    const isConfirmed = await page.confirm({
      asks: "delete-member",
      title: say("page people-delete-sure", { name }),
      more: say("page people-delete-more"),
      yes: say("page people-delete"),
    });
    if (isConfirmed && (await ask({ do: "delete-member", member: id }, say("page people-deleted", { name })))) {
      element.querySelector("[data-people] h3").focus({ preventScroll: true });
    }
  };
  /** Saves all data stored about a member; games come in pages. */
  const exportMember = async ({ id, name }) => {
    const stored = { games: [] };
    let before = null;
    do {
      const answer = await page.askAndReport({ do: "export-member", member: id, ...(before && { before }) });
      if (!answer.ok) {
        return;
      }
      stored.member = answer.member;
      stored.games.push(...answer.games);
      before = answer.before;
    } while (before !== null);
    saveFile(`${name}.json`, new Blob([JSON.stringify(stored, null, 1)], { type: "application/json" }));
  };
  const redactNames = async (event) => {
    event.preventDefault();
    const name = redactedName.trim();
    const isConfirmed = await page.confirm({
      asks: "blot",
      title: name === "" ? say("page people-blot-sure") : say("page people-blot-sure-one", { name }),
      more: say("page people-blot-means"),
      yes: say("page people-blot-go"),
    });
    const message = { do: "blot-names", ...(name !== "" && { names: [name] }) };
    const answer = isConfirmed ? await page.askAndReport(message) : null;
    if (answer?.ok) {
      page.showNote(say("page people-blotted", { number: answer.blotted }));
      redactedName = "";
      draw();
    }
  };

  const options = () => (members ?? []).map(({ id, name }) => [id, name]);
  const drawSeat = (person, at) => {
    const seat = at + 1;
    const typed = person === null ? names.nameAt(seat) : "";
    const choices = [["", typed === "" ? say("page people-nobody") : typed], ...options()];
    const seatMember = (member) => ask({ do: "seat-member", member, seat });
    const attributes = { "data-sits": seat, "aria-label": say("page people-who", { seat }) };
    return html`
      <li class="beside people-seat" key=${seat} data-person-at=${seat}>
        ${badge(seat)} ${dot(person?.colour ?? "transparent")}
        ${members === null
          ? html`<span class="grow anywhere">${person?.name ?? names.player(seat)}</span>`
          : html`<span class="field grow">${pick(person?.id ?? "", choices, seatMember, attributes)}</span>`}
      </li>
    `;
  };
  const drawFields = (id, { name, colour, shown }) => {
    const setField = (field) => (value) => setInput(id, { [field]: value });
    const choices = SHOWN_CHOICES.map((each) => [each, say(`page people-shown-${each}`)]);
    return html`
      <div class="tiles people-fields">
        ${textField(`person-${id}-name`, say("page people-name"), name, setField("name"), NAME_ATTRIBUTES)}
        ${pickField(`person-${id}-shown`, say("page people-shown"), shown, choices, setField("shown"), SHOWN_ATTRIBUTES)}
        ${textField(`person-${id}-colour`, say("page people-colour"), colour, setField("colour"), COLOUR_ATTRIBUTES)}
      </div>
    `;
  };
  const drawMember = (member) => {
    const { id, name, tags } = member;
    const shownMember = { ...member, ...inputs.get(id) };
    const memberButton = (hook, key, action) =>
      tool(hook, say(key), action, { "aria-label": say(`${key}-of`, { name }) });
    return html`
      <li key=${id}>
        <details class="box fold" data-fold="member" data-person=${name}>
          <summary>
            ${dot(member.colour)} <span class="grow strong anywhere">${name}</span>
            <span class="soft small">
              ${tags === 0 ? say("page people-no-card") : say("page people-cards", { number: tags })}
            </span>
          </summary>
          <form class="stack gap-s" data-form="member" onSubmit=${(event) => change(event, member)}>
            ${drawFields(id, shownMember)}
            <div class="cluster">
              ${submit("change-member", say("page people-save"))}
              ${memberButton("new-card", "page people-card-new", () => newCard(member))}
              ${memberButton("export-member", "page people-export", () => exportMember(member))}
              ${memberButton("delete-member", "page people-delete", () => remove(member))}
            </div>
          </form>
        </details>
      </li>
    `;
  };
  const drawCard = (card) => html`
    <section class="box stack gap-s people-card" data-step="card-awaited" data-card-awaited=${card?.waits ? "" : null}
      hidden=${!card?.waits}>
      <h3 class="heading">${say("page people-wait")}</h3>
      <div class="cluster">${tool("stop-card", say("page people-stop"), () => ask({ do: "enrol-member-stop" }))}</div>
    </section>
    <div role="status">
      <p class="remark beside" data-mood=${card?.mood ?? ""} data-card-result hidden=${!card}>
        ${icon(ICON[card?.mood] ?? "turn")}<span>${card?.said ?? ""}</span>
      </p>
    </div>
  `;
  const drawNew = () => {
    const newMember = { name: "", colour: COLOURS[(members?.length ?? 0) % COLOURS.length], shown: SHOWN_CHOICES[0], ...inputs.get(NEW) };
    return html`
      <form class="box stack gap-s" data-form="new-person" data-new-person onSubmit=${enrol}>
        <h3 class="heading">${say("page people-new")}</h3>
        ${drawFields(NEW, newMember)}
        <div class="cluster">${submit("enrol-member", say("page people-enrol"))}</div>
      </form>
    `;
  };
  const setAway = (changes) => {
    away = { ...away, ...changes };
    draw();
  };
  const chooseAwayMember = (member) => setAway({ member });
  const showCode = async () => {
    const answer = await page.askAndReport({ do: "show-away-code" });
    setAway({ shown: answer.ok ? answer.code : "" });
  };
  const playAway = async (event) => {
    event.preventDefault();
    const member = members.find(({ id }) => id === away.member) ?? members[0];
    const sentence = say("page people-away-done", { name: member.name });
    if (await ask({ do: "play-away", member: member.id, code: away.code }, sentence)) {
      setAway({ code: "" });
    }
  };
  /** Draws guest play at other clubs' tables: shows a code, or takes one. */
  const drawAway = (player = away.member || members[0]?.id) => html`
    <details class="box fold" data-fold="away">
      <summary><span class="grow strong">${say("page people-away")}</span></summary>
      <div class="stack gap-s">
        <p class="soft">${say("page people-away-more")}</p>
        <div class="cluster">${tool("show-away-code", say("page people-away-show"), showCode)}</div>
        <p role="status" data-away-code>
          ${away.shown !== "" && say("page people-away-code", { code: `${away.shown.slice(0, 5)} ${away.shown.slice(5)}` })}
        </p>
        ${members.length > 0 &&
        html`
          <form class="cluster fields" data-form="away" onSubmit=${playAway}>
            ${pickField("away-member", say("page people-away-member"), player, options(), chooseAwayMember)}
            ${textField("away-code", say("page people-away-enter"), away.code, (code) => (away.code = code), CODE_ATTRIBUTES)}
            ${submit("play-away", say("page people-away-go"), { class: "tool" })}
          </form>
        `}
      </div>
    </details>
  `;
  const drawRedaction = () => html`
    <form class="box stack gap-s" data-form="blot" onSubmit=${redactNames}>
      <h3 class="heading">${say("page people-blot")}</h3>
      <p class="soft">${say("page people-blot-more")}</p>
      <div class="cluster fields">
        ${textField("blot-name", say("page people-blot-one"), redactedName, (text) => (redactedName = text), REDACTED_ATTRIBUTES)}
        ${submit("blot-names", say("page people-blot-go"), { class: "tool" })}
      </div>
    </form>
  `;

  const view = () => {
    const people = store.get("people");
    if (people === undefined) {
      return null;
    }
    if (open && people.told !== membersRevision) {
      queueMicrotask(load);
      membersRevision = people.told;
    }
    return html`
      ${drawCard(people.card)}
      <section class="stack gap-s" data-people-seats>
        <h3 class="heading">${say("page people-seats")}</h3>
        <p class="soft">${say("page people-hint")}</p>
        <ul class="tiles people-seats">${people.seats.map(drawSeat)}</ul>
        <p class="soft">${members !== null && members.length > 0 ? say("page people-forgotten") : ""}</p>
      </section>
      <section class="stack gap-s" data-people>
        <h3 class="heading" tabindex="-1">${say("page people-list")}</h3>
        ${members === null
          ? html`
              <p class="soft">${say("page people-locked")}</p>
              <div class="cluster">${tool("unlock", say("page people-unlock"), () => page.access.ensurePaired().then(load))}</div>
            `
          : html`
              <p class="soft">${members.length === 0 ? say("page people-none") : ""}</p>
              <ul class="stack gap-s">${members.map(drawMember)}</ul>
              ${people.league && drawAway()}
            `}
      </section>
      <div class="stack gap-l forms">${drawNew()} ${drawRedaction()}</div>
    `;
  };
  return {
    element,
    opened: () => {
      open = true;
      load();
    },
    closed: () => {
      open = false;
    },
  };
};
