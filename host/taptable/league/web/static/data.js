// Reads the league's data over HTTP, sends the administrator's commands, shows a view's loading status, and draws the
// choice of a season and a game. It must not know what the views show.

import { el, html, pick } from "/static/html.js";

/** Returns the query string for `fields`, without those that are null, undefined or empty. */
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
  /**
   * Fetches `/data/<path>.json`. Returns the JSON with `ok` and `status`; without an answer `{ok: false, status: 0}`.
   */
  get: (path, fields = {}) => fetch(`/data/${path}.json${query(fields)}`).then(readAnswer, () => NO_ANSWER),
  /** Fetches the administration data; the server includes only what the signed-in person may see. */
  desk: () => fetch("/admin/desk.json").then(readAnswer, () => NO_ANSWER),
  /** Sends an administrator's command. A refused one has the reason in `why`. */
  ask: (path, fields) => {
    const body = JSON.stringify(fields);
    return fetch(`/admin/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(
      readAnswer,
      () => NO_ANSWER,
    );
  },
});

export const ALL = "all";

/** Returns the games that were played in a season or in any of them, or all games if none was played. */
const gamesOf = (league, season) => {
  const seasons = league.seasons.filter(({ id }) => season === ALL || String(id) === season);
  const names = new Set(seasons.flatMap(({ games }) => Object.keys(games)));
  return names.size === 0 ? league.games : league.games.filter((game) => names.has(game));
};

/** Returns the id of the season under way, else of the latest one; `ALL` without any season. */
const currentSeason = ({ seasons }) => {
  const now = Date.now() / 1000;
  const season = seasons.find(({ begins, ends }) => begins <= now && now < ends) ?? seasons[0];
  return season === undefined ? ALL : String(season.id);
};

/** Parses "season/game" from the address (`rest`, such as "3/online"). An unknown part becomes the default. */
export const parseChoice = (league, rest, { all = false } = {}) => {
  const [season = "", game = ""] = rest.split("/");
  const isKnown = league.seasons.some(({ id }) => String(id) === season) || (all && season === ALL);
  const chosen = isKnown ? season : currentSeason(league);
  const games = gamesOf(league, chosen);
  const counts = league.seasons.find(({ id }) => String(id) === chosen)?.games ?? {};
  const defaultGame = [...games].sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0))[0];
  return { season: chosen, game: games.includes(game) || (all && game === ALL) ? game : all ? ALL : defaultGame };
};

/**
 * Draws selects for season and game. `go(rest)` receives the new address part. With `all`, both have an entry for
 * *all*.
 */
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
 * Returns `{status, load(get), forget()}`. `load` returns the answer of `get()`, or null after a failure or if another
 * request was made meanwhile; the `status` line says that loading takes long or has failed.
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
