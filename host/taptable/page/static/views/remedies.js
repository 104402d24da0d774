// Something that can be asked for at the table, as a big button that says what it does and why it can't be done now. It
// must not know what comes of it.

import { html } from "../html.js";
import { sign } from "../signs.js";

/** What is to be seen anyway for as long as it holds. */
const STANDING = new Set(["check-team", "check-hand", "consent-asked"]);

/** Ask for something, and say what came of it; gives the answer. */
export const makeAsk = (page) => async (message) => {
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
 * A big button with what it does and, where it can't be done, why not (null: it can); `choose` is done by a click. It isn't
 * `disabled` then: who tabs through or listens is to find the reason. `below` stands below it.
 */
export const remedy = (page, { name, label, more, signName, why, choose, below = null }) => html`
  <li key=${name}>
    <button class="press-box remedy" type="button" data-remedy=${name} aria-labelledby=${`remedy-${name}`}
      aria-describedby=${`remedy-${name}-more remedy-${name}-why`} aria-disabled=${why !== null}
      onClick=${() => (why === null ? choose() : page.say(why, "bad"))}>
      ${sign(signName, "sign remedy-sign")}
      <span class="heading" id=${`remedy-${name}`}>${label}</span>
      <span class="soft" id=${`remedy-${name}-more`}>${more}</span>
      <span class="remedy-why" id=${`remedy-${name}-why`} hidden=${why === null}>${why}</span>
    </button>
    ${below}
  </li>
`;
