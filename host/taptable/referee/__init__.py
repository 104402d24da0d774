"""One step of the table, the filters before it and the JSON-lines front end; pure."""
