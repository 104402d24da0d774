"""The demo's extension without a browser: what people at the page do and see, in given time."""
