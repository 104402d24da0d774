// Who may do what from this page. It must not know what is asked for.

/** Access for a page: `paired()`, and `need()`, which gives whether what needs it may be asked for now. */
export const makeAccess = () => ({
  paired: () => true,
  need: () => Promise.resolve(true),
});
