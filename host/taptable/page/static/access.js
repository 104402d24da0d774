// Who may do what from this page: everybody on the table's own computer, on the network who is paired with the table.
// It must not know what is asked for, nor what a code looks like.

/**
 * Access for a page. `pairing` says whether the table is open to the network; `pair()` asks people to pair this device,
 * and gives whether they did.
 */
export const makeAccess = ({ pairing, pair }) => {
  const listeners = new Set();
  let who = { paired: !pairing, name: "" };
  let heard = !pairing;

  /** Whether what needs it may be asked for now; who isn't paired is asked to be first. */
  const need = async () => who.paired || (await pair());

  return {
    need,
    /** May this device change anything? */
    paired: () => who.paired,
    /** By which name it is paired; "" if it isn't. */
    name: () => who.name,
    /** What a click on a link does that only who is paired may follow. */
    follow: async (event) => {
      const link = event.currentTarget;
      if (!who.paired) {
        event.preventDefault();
        if (await need()) {
          link.click();
        }
      }
    },
    /** Call `listener({paired, name, lost})` now and after each change; `lost` if it was paired a moment ago. */
    onChange: (listener) => {
      listeners.add(listener);
      listener({ ...who, lost: false });
    },
    /** What the table said to a hello. */
    told: ({ paired, name }) => {
      const lost = heard && who.paired && !paired;
      heard = true;
      who = { paired, name };
      listeners.forEach((listener) => listener({ ...who, lost }));
    },
  };
};
