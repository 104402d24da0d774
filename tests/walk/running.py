"""Runs the commands of pages, each page in a copy of this computer's files that is thrown away, with processes and a
network of its own: so a command may install a file in /etc and start a server at its usual port. There are stand-ins
for what such a copy has not: `sudo`, `apt` and `systemctl`."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

from package.build import TABLE
from taptable.config.initial import Answers, initial_config

from walk.blocks import INSTALLED, ROOT, Block, Step, blocks_of, pages

LONGEST_S = 120.0
"""Seconds for a block; one that takes longer is ended, and has failed."""
STAND_INS = Path(__file__).parent / "stand_ins"
APART = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--propagation", "private")
INTERRUPTED = (0, -signal.SIGINT, 128 + signal.SIGINT)


class Failed(Exception):
    """A command did not do what its page says."""


def why_not() -> str | None:
    """Why commands can't be run on this computer; None if they can."""
    if os.geteuid() != 0:
        return "it takes root: each page runs in a copy of the whole computer's files"
    probe = "mkdir u w r && mount -t overlay overlay -o lowerdir=/,upperdir=u,workdir=w r"
    with TemporaryDirectory(dir=_memory()) as folder:
        inside = ["sh", "-c", f'mount -t tmpfs none "$0" && cd "$0" && {probe}', folder]
        tried = shutil.which("unshare") and subprocess.run([*APART, *inside], capture_output=True, check=False)
        if not tried or tried.returncode:
            return "this computer allows no namespaces with an overlay of its files"
    return None


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def walk(page: Path) -> subprocess.CompletedProcess[str]:
    """Run the commands of a page. The output says how each block went; the status is 0 if all went well."""
    with TemporaryDirectory(prefix="taptable-walk-", dir=_memory()) as folder:
        inside = [sys.executable, "-m", "walk.running", "--inside", folder, str(page)]
        paths = {**os.environ, "PYTHONPATH": f"{ROOT}/tests:{ROOT}/system"}
        return subprocess.run([*APART, *inside], cwd=ROOT, env=paths, capture_output=True, text=True, check=False)


# ---- inside


def _inside(folder: Path, page: Path) -> int:
    blocks, installed = blocks_of(page), INSTALLED in page.read_text(encoding="utf-8")
    computer = _copy_of_the_computer(folder)
    _clone(computer, _files())
    os.chroot(computer)
    os.chdir(ROOT)
    _stand_ins(installed=installed)
    failed = False
    for block in blocks:
        if block.not_run is not None:
            print(f"{block.place}: not run: {block.not_run}")
            continue
        begun_s = time.monotonic()
        try:
            _run_block(block)
        except Failed as failure:
            failed = True
            print(f"{block.place}: FAILED: {failure}")
        else:
            print(f"{block.place}: ran, {time.monotonic() - begun_s:.1f} s")
    return 1 if failed else 0


def _copy_of_the_computer(folder: Path) -> Path:
    """A root folder with all files of this computer; writes to it stay in memory, below `folder`."""
    _mount("-t", "tmpfs", "none", folder)
    upper, work, computer = (folder / name for name in ("upper", "work", "computer"))
    for each in (upper, work, computer):
        each.mkdir()
    _mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={upper},workdir={work}", computer)
    _mount("--rbind", "/dev", computer / "dev")
    _mount("--rbind", "/sys", computer / "sys")
    _mount("-t", "proc", "proc", computer / "proc")
    for each in ("run", "tmp"):
        _mount("-t", "tmpfs", "-o", "mode=1777", "none", computer / each)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    return computer


def _mount(*how: str | Path) -> None:
    subprocess.run(["mount", *how], check=True)


def _files() -> list[str]:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    return [
        name for name in subprocess.check_output(listed, cwd=ROOT, text=True).split("\0") if (ROOT / name).is_file()
    ]


def _clone(computer: Path, files: Sequence[str]) -> None:
    """A clone in the place of this one: the same files without those that git ignores, and the environment."""
    aside = computer / "run" / "clone"
    for name in files:
        (aside / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, aside / name, follow_symlinks=False)
    (aside / ".venv").mkdir()
    place = computer.joinpath(*ROOT.parts[1:])
    place.mkdir(parents=True, exist_ok=True)
    _mount("--bind", aside, place)
    _mount("--bind", ROOT / ".venv", place / ".venv")
    _mount("-o", "remount,bind,ro", place / ".venv")


def _stand_ins(*, installed: bool) -> None:
    for each in STAND_INS.iterdir():
        text = each.read_text(encoding="utf-8").replace("#!/usr/bin/env python3", f"#!{ROOT}/.venv/bin/python", 1)
        place = Path("/usr/local/bin", each.stem)
        place.write_text(text, encoding="utf-8")
        place.chmod(0o755)
    Path("/usr/local/bin/apt-get").symlink_to("apt")
    for folder in (*Path(sys.executable).resolve().parents, *ROOT.parents):
        folder.chmod(folder.stat().st_mode | 0o555)  # services run as other users, of this Python
    if installed:
        _install()


def _install() -> None:
    """Install what the package installs, and a configuration made of an example."""
    program = Path("/opt/taptable/venv/bin/taptable")
    program.parent.mkdir(parents=True)
    program.symlink_to(ROOT / ".venv/bin/taptable")
    for name, source in TABLE.items():
        place = Path("/", name)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)
    for command in ("systemd-sysusers", "systemd-tmpfiles --create"):
        subprocess.run([*command.split(), "taptable.conf"], check=True, capture_output=True)
    Path("/etc/taptable").mkdir(exist_ok=True)
    example = (ROOT / "examples/full.toml").read_text(encoding="utf-8")
    Path("/etc/taptable/table.toml").write_text(initial_config(example, Answers()), encoding="utf-8")


def _run_block(block: Block) -> None:
    for each in block.before:
        _run(Step(each))
    for step in block.steps:
        _run(step, block.typed, block.ends_at, block.ends_with)
    for each in block.after:
        _run(Step(each))


def _run(step: Step, typed: Sequence[str] = (), ends_at: str | None = None, ends_with: int = 0) -> None:
    """Run a command, with Ctrl-C as soon as it prints `ends_at`; `Failed` says what it did instead."""
    process = subprocess.Popen(
        ["bash", "-ec", step.command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if step.prints is None else subprocess.PIPE,
        text=True,
        env=_environment(),
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in typed))
    process.stdin.close()
    too_long = Timer(LONGEST_S, lambda: os.killpg(process.pid, signal.SIGKILL))
    too_long.start()
    try:
        printed = "".join(_lines(process, ends_at))
        code = process.wait()
    finally:
        too_long.cancel()
    if ends_at is not None and not re.search(re.escape(ends_at), printed):
        raise Failed(f"{step.command}\n  never prints {ends_at!r}, but:\n{printed}")
    if code not in (INTERRUPTED if ends_at is not None else (ends_with,)):
        raise Failed(f"{step.command}\n  ends with {code}:\n{printed}")
    if step.prints is not None and printed != step.prints:
        raise Failed(f"{step.command}\n  prints:\n{printed}\n  and not:\n{step.prints}")


def _lines(process: subprocess.Popen[str], ends_at: str | None) -> Iterator[str]:
    """Yield the lines of its output, until nobody holds the output any more."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if ends_at is not None and ends_at in line:
            os.killpg(process.pid, signal.SIGINT)
            ends_at = None


def _environment() -> dict[str, str]:
    """The environment as in the terminal of a user who has just signed in, and who has no browser."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {"PATH": path, "HOME": "/root", "USER": "root", "LANG": "C.UTF-8", "TERM": "dumb", "BROWSER": "/bin/true"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk the pages that are named, or all."""
    parser = argparse.ArgumentParser(
        prog="walk-docs", description="Run the fenced commands of the manual's pages, as they are written."
    )
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="(default: all that have commands)")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    named = [page.resolve() for page in args.pages]
    if args.inside is not None:
        return _inside(args.inside, named[0])
    if (reason := why_not()) is not None:
        print(f"Nothing was run: {reason}.", file=sys.stderr)
        return 2
    failed = 0
    for page in named or [page for page in pages() if blocks_of(page)]:
        walked = walk(page)
        print(walked.stdout, end="", flush=True)
        print(walked.stderr, end="", file=sys.stderr, flush=True)
        failed += walked.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
