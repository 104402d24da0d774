"""Each command that a page of the manual shows is run as it is written, or the page says beside it why it isn't."""

from __future__ import annotations

from pathlib import Path

import pytest

from walk.blocks import Block, Step, blocks_of, oversights, pages, place_of
from walk.running import walk, why_not

WITH_COMMANDS = [page for page in pages() if blocks_of(page)]
REASON = why_not()
can_be_walked = pytest.mark.skipif(REASON is not None, reason=str(REASON))

PAGE = """\
# A page

<!-- not run: needs a printer -->
```sh
lp cards.pdf
```

1. In a list:

   <!-- before: echo there >/tmp/made -->
   <!-- typed: ann, bob -->
   <!-- after: grep bob /tmp/made -->
   ```sh
   read one
   read other
   echo "$one and $other" | sudo tee -a /tmp/made
   ```

<!-- ends at: is ready -->
```sh
echo it is ready
sleep 1000
```

<!-- ends with: 3 -->
```console
$ cat <<'END'; exit 3
a line
END
a line
```

```json
{"not": "a command"}
```
"""
WRONG = """\
```sh
echo where it is; false
```

<!-- ends at: never -->
```sh
echo something else
```

```console
$ echo one
two
```

<!-- after: test -e /etc/nobody-made-it -->
```sh
touch /etc/walked
```
"""


def test_every_page_has_its_commands_in_fences_and_its_comments_spelled_as_they_are_read() -> None:
    assert [line for page in pages() for line in oversights(page)] == []


def test_every_reason_says_what_is_missing() -> None:
    blocks = [block for page in WITH_COMMANDS for block in blocks_of(page)]
    assert [b.place for b in blocks if b.not_run is not None and not b.not_run.startswith(("needs ", "takes "))] == []
    assert sum(block.not_run is None for block in blocks) > len(blocks) / 2


@pytest.mark.parametrize(
    "text",
    [
        "To begin:\n\n    sudo apt install it\n",
        "1. To begin:\n\n        $ taptable demo\n",
        "```\n$ taptable demo\n```\n",
        "```bash\ntaptable demo\n```\n",
        "<!-- notrun: needs a Pi -->\n```sh\nsudo taptable-buses\n```\n",
    ],
)
def test_a_command_that_nobody_would_run_is_found(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert len(oversights(page)) == 1


def test_a_block_is_read_with_what_the_comments_before_it_say(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    printing, typing, ending, showing = blocks_of(page)
    assert printing == Block(page, 4, (Step("lp cards.pdf"),), not_run="needs a printer")
    assert (typing.before, typing.typed, typing.after) == (
        ("echo there >/tmp/made",), ("ann", "bob"), ("grep bob /tmp/made",),
    )  # fmt: skip
    assert typing.steps[0].command.startswith("read one\nread other\n")
    assert ending.ends_at == "is ready"
    assert showing.steps == (Step("cat <<'END'; exit 3\na line\nEND", "a line\n"),)
    assert showing.ends_with == 3


@can_be_walked
def test_commands_run_as_they_are_written_and_nothing_is_left_of_them(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    walked = walk(page)
    assert (walked.returncode, walked.stderr) == (0, "")
    assert [line.split(": ", 1)[1].partition(",")[0] for line in walked.stdout.splitlines()] == [
        "not run: needs a printer", "ran", "ran", "ran",
    ]  # fmt: skip
    assert not Path("/tmp/made").exists()


@can_be_walked
def test_a_command_that_differs_from_the_page_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(WRONG)
    walked = walk(page)
    assert walked.returncode == 1
    assert walked.stdout.count("FAILED") == 4
    for said in ("ends with 1:\nwhere it is", "never prints 'never'", "prints:\none", "test -e /etc/nobody-made-it"):
        assert said in walked.stdout
    assert not Path("/etc/walked").exists()


@can_be_walked
@pytest.mark.long
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(place_of(page)))
def test_the_commands_of_a_page_do_what_it_says(page: Path) -> None:
    walked = walk(page)
    assert walked.returncode == 0, walked.stdout + walked.stderr
