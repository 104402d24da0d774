// What can be asked of the table beside tapping cards, in a game that has controls of its own: one button for each that
// is open now, by name, and above them what is waited for. It must not know what a control does.

import { el, setText } from "./elements.js";
import { makeDoes } from "./views/deeds.js";
import { keepingFocus } from "./views/focus.js";

const TAB = "actions";
const BREAK_OFF = "break-off";

/** The controls by their names, in their order. */
const groupsOf = (controls) => {
  const groups = new Map();
  controls.forEach((each) => groups.set(each.control, [...(groups.get(each.control) ?? []), each]));
  return [...groups.values()];
};

/** The panel; drawn only while it is open, and offered only where the game has controls of its own. */
export const makeActions = (page) => {
  const { store, words, names, slots, about } = page;
  const does = makeDoes(page);
  const title = el("p", { class: "actions-now", role: "status", data: { actionsNow: "" } });
  const more = el("p", { class: "actions-more" });
  const off = el("p", { class: "actions-off", data: { breakOff: "" }, hidden: true });
  const groups = el("div", { class: "actions-groups" });
  const element = el("div", { class: "actions", data: { actions: "" } }, title, more, off, groups);

  const buttonOf = ({ control, fields, name, choice }) => {
    const button = el(
      "button",
      { class: "tool action", type: "button", data: { control, fields: JSON.stringify(fields) } },
      choice || name,
    );
    if (choice !== "") {
      button.setAttribute("aria-label", `${name}: ${choice}`);
    }
    button.addEventListener("click", () => does({ do: "use-control", control, fields }));
    return button;
  };

  const isAlone = (group) => group.length === 1 && group[0].choice === "";
  const choicesOf = (each) => el("div", { class: "actions-choices" }, ...each.map(buttonOf));
  const groupOf = (group) =>
    el("section", { class: "actions-group" }, el("h3", { class: "actions-name" }, group[0].name), choicesOf(group));

  /** First those that there is nothing to choose of, in one row, then the others by name. */
  const drawGroups = (controls) => {
    const all = groupsOf(controls);
    const alone = all.filter(isAlone);
    groups.replaceChildren(
      ...(controls.length === 0 ? [el("p", { class: "empty" }, words.say("page actions-none"))] : []),
      ...(alone.length === 0 ? [] : [choicesOf(alone.flat())]),
      ...all.filter((group) => !isAlone(group)).map(groupOf),
    );
  };

  let drawn = "";
  const draw = () => {
    if (slots.tabs.shown() !== TAB) {
      return;
    }
    const controls = store.get("controls") ?? [];
    const told = store.get("now");
    setText(title, told?.title ?? "");
    setText(more, told?.more ?? "");
    const open = (store.get("seats") ?? []).find(({ meaning }) => meaning === BREAK_OFF);
    off.hidden = open === undefined;
    setText(off, open === undefined ? "" : words.say("page actions-off", { who: names.seat(open.seat) }));
    const now = JSON.stringify([controls, words.language()]);
    if (now !== drawn) {
      drawn = now;
      keepingFocus(groups, () => drawGroups(controls));
    }
  };
  ["controls", "now", "seats", "names"].forEach((part) => store.on(part, () => store.soon(draw)));
  slots.tabs.onShow((name) => name === TAB && store.soon(draw));
  return { element, isWanted: about.controls.length > 0 };
};
