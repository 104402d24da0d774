"""The VM's end of the channel to whoever steers it: lists as lines of JSON. What is said on the wire doesn't come past
here but as what it is, bytes in hex. Runs in the VM."""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Channel:
    """Over two open file descriptors."""

    def __init__(self, from_host: int, to_host: int) -> None:
        self.input = open(from_host, "rb")  # noqa: SIM115 - a descriptor, open for as long as the VM runs
        self._output = open(to_host, "wb")  # noqa: SIM115

    def receive(self) -> "Any":
        """The next line; waits for it. SystemExit when nobody is there any more."""
        line = self.input.readline()
        if not line:
            raise SystemExit
        return json.loads(line)

    def tell(self, *about: "str | int | None") -> None:
        """Say a line."""
        self._output.write((json.dumps(about) + "\n").encode())
