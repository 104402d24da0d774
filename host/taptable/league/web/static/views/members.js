// The list of members, and one member: ratings and their course, seasons, results against others, and latest games. The
// server has already removed what a member doesn't show. It must not know the games' rules.

import { draw, el, html, icon } from "/static/html.js";
import { makePlot } from "/static/views/games/plot.js";
import { makeLoading } from "../data.js";
import { drawGames, drawMember, formatRating, memberName } from "../lists.js";

const MANY = 12;
const STEP_US = 60e6;

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeMembers = (page) => {
  const { words, data, league } = page;
  const { say } = words;
  const { status, load, forget } = makeLoading(page);
  const body = el("div", { class: "stack gap-l" });
  const plot = makePlot();
  const course = el("section", { class: "stack gap-s", hidden: true }, plot.element);
  const element = el("div", { class: "stack" }, status, body, course);
  let listed = null;
  let shownMember = null;
  let search = "";

  const drawAll = () => {
    const matching = listed.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    course.hidden = true;
    draw(
      body,
      html`
        ${listed.length > MANY &&
        html`<label class="field member-find"><span class="small soft">${say("league find")}</span>
          <input type="search" value=${search} data-find onInput=${({ target }) => ((search = target.value), drawAll())} /></label>`}
        ${listed.length === 0 && html`<p class="remark" data-mood="info" data-none>${say("league members-none")}</p>`}
        <ul class="tiles members" data-members>
          ${matching.map(
            (member) => html`
              <li key=${member.id}>
                <a class="press-box beside member" href=${`#members/${member.id}`} data-member=${member.id}>
                  <span class="person-dot dot-large" aria-hidden="true" style=${member.colour ? { background: member.colour } : null}></span>
                  <span class="strong anywhere">${memberName(words, member)}</span>
                </a>
              </li>
            `,
          )}
        </ul>
        <p class="soft small">${say("league members-shown")}</p>
      `,
    );
  };

  const drawRating = (game) => html`
    <li class="box rating" data-rating=${game}>
      <span class="soft small">${say(`game ${game}`)}</span>
      <strong class="rating-value digits">${formatRating(words, shownMember.ratings[game])}</strong>
      <span class="soft small">${say("league rating-of", { number: shownMember.ratings[game].rated })}</span>
    </li>
  `;
  const seasonName = (id) => league.seasons.find((season) => season.id === id)?.name ?? String(id);
  const drawSeason = (each) => html`
    <tr>
      <th scope="row">
        <a href=${`#standings/${each.season}/${each.game}`}>${seasonName(each.season)}</a>
        <span class="soft small"> ${say(`game ${each.game}`)}</span>
      </th>
      <td class="strong">${each.place}.</td>
      <td>${each.games}</td>
      <td>${each.won}</td>
      <td>${each.points}</td>
      <td class="only-wide">${each.best}</td>
    </tr>
  `;
  const drawRival = (each) => html`
    <tr data-against=${each.opponent.id}>
      <th scope="row">${drawMember(words, each.opponent)}</th>
      <td>${each.games}</td>
      <td class="strong">${each.won}</td>
      <td>${each.lost}</td>
      <td>${each.tied}</td>
      <td class="only-wide balance">
        <span class="balance-bar" aria-hidden="true">
          ${["won", "tied", "lost"].map((what) => html`<span data-part=${what} style=${{ flexGrow: each[what] }}></span>`)}
        </span>
      </td>
    </tr>
  `;
  const drawHead = (...keys) => html`<tr>${keys.map((key, at) => html`<th scope="col" class=${at === 5 ? "only-wide" : ""}>${say(key)}</th>`)}</tr>`;

  const drawOne = () => {
    const games = Object.keys(shownMember.course).filter((game) => shownMember.course[game].length > 1);
    draw(
      body,
      html`
        <a class="tool games-more" href="#members">${icon("back")}<span>${say("league members-back")}</span></a>
        <h3 class="beside heading member-name" tabindex="-1" data-member-name=${shownMember.member.id}>
          <span class="person-dot dot-large" aria-hidden="true" style=${shownMember.member.colour ? { background: shownMember.member.colour } : null}></span>
          <span class="anywhere">${memberName(words, shownMember.member)}</span>
        </h3>
        <ul class="tiles ratings">${Object.keys(shownMember.ratings).map(drawRating)}</ul>
        ${shownMember.standings.length > 0 &&
        html`
          <section>
            <h4 class="heading game-heading">${say("league seasons")}</h4>
            <table class="lines" data-seasons>
              <thead>${drawHead("league season", "league place", "league games", "league won", "league points", "league best")}</thead>
              <tbody>${shownMember.standings.map(drawSeason)}</tbody>
            </table>
          </section>
        `}
        ${shownMember.against.length > 0 &&
        html`
          <section>
            <h4 class="heading game-heading">${say("league against")}</h4>
            <table class="lines" data-rivals>
              <thead>${drawHead("league member", "league games", "league won", "league lost", "league tied", "league balance")}</thead>
              <tbody>${shownMember.against.map(drawRival)}</tbody>
            </table>
          </section>
        `}
        <section>
          <h4 class="heading game-heading">${say("league last-games")}</h4>
          ${drawGames(page, shownMember.games)}
        </section>
      `,
    );
    course.hidden = games.length === 0;
    if (games.length > 0) {
      body.querySelector(".ratings").after(course);
      plot.show({
        label: say("league rating-course"),
        xTitle: say("league games"),
        series: games.map((game) => ({
          label: say(`game ${game}`),
          points: shownMember.course[game].map((step, at) => [(at + 1) * STEP_US, step.rating]),
        })),
        endUs: Math.max(...games.map((game) => shownMember.course[game].length)) * STEP_US,
        events: [],
        places: null,
        number: (value) => words.number(value, 0),
        whole: true,
      });
    }
  };

  const show = () => (shownMember !== null ? drawOne() : listed !== null && drawAll());
  const open = async (rest) => {
    const before = shownMember;
    if (rest === "") {
      shownMember = null;
      const answer = await load(() => data.get("members"));
      if (answer !== null) {
        listed = answer.members;
        show();
      }
      return;
    }
    const answer = await load(() => data.get("member", { id: rest }));
    if (answer === null) {
      if (status.textContent !== "") {
        draw(body, html`<a class="tool games-more" href="#members">${icon("back")}<span>${say("league members-back")}</span></a>`);
        course.hidden = true;
      }
      return;
    }
    shownMember = answer;
    show();
    if (before?.member.id !== shownMember.member.id) {
      element.closest("[data-views]").scrollTo(0, 0);
      body.querySelector("h3").focus({ preventScroll: true });
    }
  };
  words.onChange(show);
  return { element, opened: open, closed: forget };
};
