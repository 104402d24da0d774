// What the league tells over HTTP, and what its administrator asks of it. It must not know what is shown of it.

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
