// Something that can be asked for at the table, as a big button that says what it does and why it can't be done now. It
// must not know what comes of it.

import { el, setText } from "../elements.js";
import { sign } from "../signs.js";

/** What is to be seen anyway for as long as it holds. */
const STANDING = new Set(["check-team", "check-hand", "consent-asked"]);

/** Ask for something, and say what came of it; gives the answer. */
export const makeDoes = (page) => async (message) => {
  const answer = await page.ask(message);
  if (answer.ok) {
    const news = (answer.said ?? []).filter(({ type }) => !STANDING.has(type));
    const said = news.map(({ text }) => text).join(" ");
    page.say(answer.waits ?? said, (answer.waits ?? null) === null ? "good" : "bad");
  } else {
    page.say(answer.why, "bad");
  }
  return answer;
};

/**
 * A big button with what it does and, where it can't be done, why not; `choose` is done by a click. `facts` are of its
 * label.
 */
export const makeDeed = ({ words, say }, { name, labelKey, moreKey, signName, choose, facts = {} }) => {
  // words with facts in them are for who draws it again
  const plain = Object.keys(facts).length === 0;
  const label = el(
    "span",
    { class: "remedy-name", id: `deed-${name}`, "data-word": plain ? labelKey : null },
    words.say(labelKey, facts),
  );
  const more = el("span", { class: "remedy-more", id: `deed-${name}-more`, "data-word": moreKey }, words.say(moreKey));
  const why = el("span", { class: "remedy-why", id: `deed-${name}-why` });
  const button = el(
    "button",
    {
      class: "remedy",
      type: "button",
      "aria-labelledby": label.id,
      "aria-describedby": `${more.id} ${why.id}`,
      data: { deed: name },
    },
    sign(signName, "sign remedy-sign"),
    label,
    more,
    why,
  );
  let reason = null;
  button.addEventListener("click", () => {
    if (reason === null) {
      choose();
    } else {
      say(reason, "bad");
    }
  });
  return {
    element: el("li", {}, button),
    /** Why it can't be done; null: it can. */
    tell: (sentence) => {
      reason = sentence;
      // not `disabled`: who tabs through or listens is to find the reason
      button.setAttribute("aria-disabled", String(sentence !== null));
      setText(why, sentence ?? "");
      why.hidden = sentence === null;
    },
    /** Call it something else, by keys of the words. */
    rename: (key, other) => {
      label.dataset.word = key;
      more.dataset.word = other;
      setText(label, words.say(key));
      setText(more, words.say(other));
    },
  };
};
