// Entry point of the league's page: fetches what the league is, loads its texts, and builds the live connection and the
// views. It alone connects the page's parts, which don't know each other.

import { makeQuestionDialog } from "/static/dialogs.js";
import { makeLive, markRoot, waitBeforeRetry } from "/static/live.js";
import { makeConnectionNotice, makeNotes } from "/static/notices.js";
import { makeStore } from "/static/store.js";
import { makeViews, setUpSkipLink } from "/static/views.js";
import { fillLanguageSelect, firstLanguage, makeWords } from "/static/words.js";
import { makeData } from "./data.js";
import { makeAdmin } from "./views/admin.js";
import { makeGames } from "./views/games.js";
import { makeLiveTables } from "./views/live-tables.js";
import { makeMembers } from "./views/members.js";
import { makeRecords } from "./views/records.js";
import { makeStandings } from "./views/standings.js";

const root = document.documentElement;
const find = (selector) => document.querySelector(selector);

/** Returns the league's description; asks again until the server answers. */
const findLeague = async (data) => {
  for (;;) {
    const answer = await data.get("league");
    if (answer.ok) {
      return answer;
    }
    await waitBeforeRetry();
  }
};

const start = async () => {
  const words = makeWords();
  const data = makeData();
  const league = await findLeague(data);
  await words.use(firstLanguage(league.languages, league.language));
  const store = makeStore();
  store.setRate(0); // the league has no time of its own
  const showConnectionNotice = makeConnectionNotice(find("[data-gone]"), words);
  const live = makeLive({
    store,
    language: words.language,
    onConnectionChange: (why) => {
      root.dataset.connected = String(!why);
      showConnectionNotice(why);
    },
  });
  words.onChange(live.setLanguage); // before any request in the new language
  const views = makeViews({ nav: find("[data-nav]"), place: find("[data-views]"), table: null, words });
  const page = {
    store,
    live,
    words,
    data,
    league,
    views,
    showNote: makeNotes(),
    // Required by the replay, which comes from a table's page. No game is being played here.
    about: { game: null, extension: null, controls: [], forms: [] },
    access: { followLink: () => {} },
    ...makeQuestionDialog(words),
  };
  views.add({ name: "wall", label: "league view-wall", icon: "turn", ...makeLiveTables(page) });
  views.add({ name: "standings", label: "league view-standings", icon: "laurel", ...makeStandings(page) });
  views.add({ name: "records", label: "league view-records", icon: "star", ...makeRecords(page) });
  views.add({ name: "members", label: "league view-members", icon: "members", ...makeMembers(page) });
  views.add({ name: "games", label: "page view-games", icon: "games", ...makeGames(page) });
  views.add({ name: "desk", label: "league view-desk", icon: "lock", hidden: true, ...makeAdmin(page) });

  fillLanguageSelect(find("[data-language]"), league.languages, words);
  find("[data-league]").textContent = league.name;
  document.title = league.name;
  setUpSkipLink();
  words.fill(document);
  words.onChange(store.redraw);
  markRoot(store, root);
  views.begin();
  live.open();
};

start();
