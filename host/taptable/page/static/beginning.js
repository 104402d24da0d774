// What every page of a table begins with: what the table is about, the faces of its game, and what its root says of how
// far it is. It must not know what the page shows.

const RETRY_MS = 1000;

/** A while before something is tried again. */
export const beforeRetry = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/**
 * What the table is about, once there is one. Until then it is asked again and again, and `onAway(why, about)` is awaited:
 * `about` has the languages in which the page may say why.
 */
export const findTable = async (onAway) => {
  for (;;) {
    try {
      const answer = await fetch("/about.json");
      const about = await answer.json();
      if (answer.ok) {
        return about;
      }
      await onAway(about.why, about);
    } catch {
      await onAway("unreached", null); // the page's own process may be gone meanwhile
    }
    await beforeRetry();
  }
};

/** The sheet of faces of the game that is played, as SVG text. */
export const fetchSheet = async () => {
  const answer = await fetch("/faces.svg");
  return answer.ok ? answer.text() : "<svg/>";
};

/** Let `root` say which start of the table and which revision it shows, and whether it is ready. */
export const markRoot = (store, root) => {
  store.onSettled(({ boot, revision }) => {
    root.dataset.boot = boot ?? "";
    root.dataset.revision = String(revision);
    root.dataset.ready = String(boot !== null);
  });
};
