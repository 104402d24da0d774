// Switching the table off: a button that asks once more, and says why where it couldn't be done. What happens then, the
// table itself tells like everything else.

import { html } from "./html.js";
import { sign } from "./signs.js";

/** The button and its question as `{view, closed}`: a view that `draw` draws, and what is done once it isn't shown. */
export const makePowerOff = (page, draw) => {
  const { say } = page.words;
  let asking = false;
  let why = "";

  const ask = (wanted, said = why) => {
    [asking, why] = [wanted, said];
    draw();
    document.querySelector(`[data-power="${wanted ? "no" : "ask"}"]`).focus();
  };
  const switchOff = async () => {
    const answer = await page.ask({ do: "power-off" });
    ask(false, answer.why ?? "");
  };
  const choice = (hook, wordKey, does, before = null) => html`
    <button class="tool" type="button" data-power=${hook} onClick=${does}>${before}<span>${say(wordKey)}</span></button>
  `;
  const closed = () => {
    [asking, why] = [false, ""];
    draw();
  };
  const view = () => html`
    <div class="stack gap-xs power">
      ${asking
        ? html`
            <div class="halves" role="group" data-step="power-off" aria-label=${say("page power-off")}>
              <p>${say("page power-off-sure")}</p>
              ${choice("no", "page power-off-no", () => ask(false))}
              ${choice("yes", "page power-off-yes", switchOff, sign("power"))}
            </div>
          `
        : choice("ask", "page power-off", () => ask(true, ""), sign("power"))}
      <p class="wrong" role="alert" data-power-why>${why}</p>
    </div>
  `;
  return { view, closed };
};
