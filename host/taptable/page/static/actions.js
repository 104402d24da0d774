// What can be asked of the table beside tapping cards, in a game that has controls of its own: one button for each that
// is open now, by name, and above them what is waited for. It must not know what a control does.

import { el } from "./elements.js";
import { html } from "./html.js";
import { keepInTab } from "./tabs.js";
import { makeAsk } from "./views/remedies.js";

const BREAK_OFF = "break-off";

/** The controls by their names, in their order. */
const groupsOf = (controls) => {
  const groups = new Map();
  controls.forEach((each) => groups.set(each.control, [...(groups.get(each.control) ?? []), each]));
  return [...groups.values()];
};
const isAlone = (group) => group.length === 1 && group[0].choice === "";

/** The panel, offered only where the game has controls of its own. */
export const makeActions = (page) => {
  const { store, words, names, about } = page;
  const ask = makeAsk(page);
  const element = el("div", { class: "stack gap-xs", data: { actions: "" } });

  const button = ({ control, fields, name, choice }) => html`
    <button class="tool" type="button" key=${JSON.stringify(fields)} data-control=${control}
      data-fields=${JSON.stringify(fields)} aria-label=${choice === "" ? null : `${name}: ${choice}`}
      onClick=${() => ask({ do: "use-control", control, fields })}>
      ${choice || name}
    </button>
  `;
  const choices = (controls) => html`<div class="cluster">${controls.map(button)}</div>`;
  const drawGroup = (group) => html`
    <section class="stack gap-xs" key=${group[0].control}>
      <h3 class="soft small semibold">${group[0].name}</h3>
      ${choices(group)}
    </section>
  `;

  keepInTab(page, "actions", element, ["controls", "now", "seats", "names"], () => {
    const { title = "", more = "" } = store.get("now") ?? {};
    const open = (store.get("seats") ?? []).find(({ meaning }) => meaning === BREAK_OFF);
    const groups = groupsOf(store.get("controls") ?? []);
    const alone = groups.filter(isAlone).flat();
    return html`
      <p class="heading" role="status" data-actions-now>${title}</p>
      <p class="soft">${more}</p>
      ${open && html`<p class="remark off" data-break-off>${words.say("page actions-off", { who: names.seat(open.seat) })}</p>`}
      <div class="stack actions-groups">
        ${groups.length === 0 && html`<p class="soft">${words.say("page actions-none")}</p>`}
        ${alone.length > 0 && choices(alone)} ${groups.filter((group) => !isAlone(group)).map(drawGroup)}
      </div>
    `;
  });
  return { element, isWanted: about.controls.length > 0 };
};
