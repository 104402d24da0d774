"""One folder for each kind of reader, button, lamp or display. Nothing outside a folder imports from it: `registry`
finds the drivers, and `interface` is the interface that they implement."""
