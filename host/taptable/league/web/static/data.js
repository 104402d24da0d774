// What the league tells over HTTP, what its administrator asks of it, and what a view shows while it waits; and the
// choice of a season and a game. It must not know what is shown of it.

import { el, html, pick } from "/static/html.js";

/** The query of an address, without what is null. */
export const query = (fields) => {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

const read = async (answer) => {
  const told = answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : {};
  return { ...told, ok: answer.ok, status: answer.status };
};
const gone = { ok: false, status: 0 };

export const makeData = () => ({
  /** What is told below `/data`; `{ok: false, status}` where there is nothing, with status 0 where nobody answers. */
  get: (what, fields = {}) => fetch(`/data/${what}.json${query(fields)}`).then(read, () => gone),
  /** The administrator's desk, as far as it may be seen. */
  desk: () => fetch("/admin/desk.json").then(read, () => gone),
  /** Ask for something at the desk; `why` says why it wasn't done. */
  ask: (what, fields) => {
    const body = JSON.stringify(fields);
    return fetch(`/admin/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(
      read,
      () => gone,
    );
  },
});

export const ALL = "all";

/** The games that were played in a season, or in any; all that there are where none was. */
const gamesOf = (league, season) => {
  const played = league.seasons.filter(({ id }) => season === ALL || String(id) === season);
  const names = new Set(played.flatMap(({ games }) => Object.keys(games)));
  return names.size === 0 ? league.games : league.games.filter((game) => names.has(game));
};

/** The season that is on, else the last one, by its id; `ALL` where there is none. */
const seasonNow = ({ seasons }) => {
  const now = Date.now() / 1000;
  const season = seasons.find(({ begins, ends }) => begins <= now && now < ends) ?? seasons[0];
  return season === undefined ? ALL : String(season.id);
};

/** Season and game by what stands in an address, `rest`: "3/online"; what isn't there is as usual. */
export const chosenIn = (league, rest, { all = false } = {}) => {
  const [season = "", game = ""] = rest.split("/");
  const known = league.seasons.some(({ id }) => String(id) === season) || (all && season === ALL);
  const chosen = known ? season : seasonNow(league);
  const games = gamesOf(league, chosen);
  const counts = league.seasons.find(({ id }) => String(id) === chosen)?.games ?? {};
  const usual = [...games].sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0))[0];
  return { season: chosen, game: games.includes(game) || (all && game === ALL) ? game : all ? ALL : usual };
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
  let asked = 0;
  return {
    status,
    load: async (get) => {
      asked += 1;
      const mine = asked;
      const late = setTimeout(() => (status.textContent = words.say("page games-wait")), 300);
      const told = await get();
      clearTimeout(late);
      if (mine !== asked) {
        return null;
      }
      status.textContent = told.ok ? "" : words.say(told.status === 404 ? "league not-there" : "league unread");
      return told.ok ? told : null;
    },
    forget: () => {
      asked += 1;
    },
  };
};
