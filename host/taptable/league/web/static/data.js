// What the league tells over HTTP, what its administrator asks of it, and what a view shows while it waits; and the
// choice of a season and a game. It must not know what is shown of it.

import { el, html, pick } from "/static/html.js";

/** The query of an address, without what is null. */
export const query = (fields) => {
  const params = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return params.length === 0 ? "" : `?${new URLSearchParams(params)}`;
};

const readAnswer = async (answer) => {
  const body = answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : {};
  return { ...body, ok: answer.ok, status: answer.status };
};
const NO_ANSWER = { ok: false, status: 0 };

export const makeData = () => ({
  /** What is told below `/data`; `{ok: false, status}` where there is nothing, with status 0 where nobody answers. */
  get: (path, fields = {}) => fetch(`/data/${path}.json${query(fields)}`).then(readAnswer, () => NO_ANSWER),
  /** The administrator's desk, as far as it may be seen. */
  desk: () => fetch("/admin/desk.json").then(readAnswer, () => NO_ANSWER),
  /** Ask for something at the desk; `why` says why it wasn't done. */
  ask: (path, fields) => {
    const body = JSON.stringify(fields);
    return fetch(`/admin/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(
      readAnswer,
      () => NO_ANSWER,
    );
  },
});

export const ALL = "all";

/** The games that were played in a season, or in any; all that there are where none was. */
const gamesOf = (league, season) => {
  const seasons = league.seasons.filter(({ id }) => season === ALL || String(id) === season);
  const names = new Set(seasons.flatMap(({ games }) => Object.keys(games)));
  return names.size === 0 ? league.games : league.games.filter((game) => names.has(game));
};

/** The season that is on, else the last one, by its id; `ALL` where there is none. */
const currentSeason = ({ seasons }) => {
  const now = Date.now() / 1000;
  const season = seasons.find(({ begins, ends }) => begins <= now && now < ends) ?? seasons[0];
  return season === undefined ? ALL : String(season.id);
};

/** Season and game by what stands in an address, `rest`: "3/online"; what isn't there is as usual. */
export const parseChoice = (league, rest, { all = false } = {}) => {
  const [season = "", game = ""] = rest.split("/");
  const isKnown = league.seasons.some(({ id }) => String(id) === season) || (all && season === ALL);
  const chosen = isKnown ? season : currentSeason(league);
  const games = gamesOf(league, chosen);
  const counts = league.seasons.find(({ id }) => String(id) === chosen)?.games ?? {};
  const defaultGame = [...games].sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0))[0];
  return { season: chosen, game: games.includes(game) || (all && game === ALL) ? game : all ? ALL : defaultGame };
};

/** Selects for both; `go(rest)` is told what stands in the address then. With `all` either may be left open. */
export const drawChoice = ({ words, league }, { season, game }, go, { all = false } = {}) => {
  const { say } = words;
  const seasons = league.seasons.map((each) => [String(each.id), each.name]);
  const games = gamesOf(league, season).map((name) => [name, say(`game ${name}`)]);
  const [allSeasons, allGames] = all
    ? [[[ALL, say("league all-seasons")]], [[ALL, say("league all-games")]]]
    : [seasons.length === 0 ? [[ALL, say("league no-season")]] : [], []];
  return html`
    <div class="cluster fields choice">
      <label class="field"><span class="small soft">${say("league season")}</span>
        ${pick(season, [...allSeasons, ...seasons], (value) => go(`${value}/${game}`), { "data-season": "" })}
      </label>
      <label class="field"><span class="small soft">${say("league game")}</span>
        ${pick(game, [...allGames, ...games], (value) => go(`${season}/${value}`), { "data-game-choice": "" })}
      </label>
    </div>
  `;
};

/**
 * What a view needs to load what it shows: `load(get)` gives the answer of `get()`, or null once something else is
 * asked for, and says that it takes its time or that it didn't come; `status` is the line that says so.
 */
export const makeLoading = ({ words }) => {
  const status = el("p", { role: "status", data: { status: "" } });
  let requestCount = 0;
  return {
    status,
    load: async (get) => {
      requestCount += 1;
      const request = requestCount;
      const timer = setTimeout(() => (status.textContent = words.say("page games-wait")), 300);
      const answer = await get();
      clearTimeout(timer);
      if (request !== requestCount) {
        return null;
      }
      status.textContent = answer.ok ? "" : words.say(answer.status === 404 ? "league not-there" : "league unread");
      return answer.ok ? answer : null;
    },
    forget: () => {
      requestCount += 1;
    },
  };
};
