"""The same assertions on real parts that their models pass. Each test runs twice, on the model and on the part that an
option of `given` names; docs/on-real-parts.md says how."""
