"""The command line of scripts/package."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from package.archive import Archive
from package.build import build
from package.bundle import make_bundle
from package.release import RELEASES, ROOT, TRIPLETS, CantPackage, Target, run


def main() -> int:
    """Make the requested files and print their paths; return 1 and print a sentence if that is impossible."""
    parser = argparse.ArgumentParser(
        prog="scripts/package",
        description="Makes the Debian packages of taptable and of its loudspeaker. Takes the wheels from PyPI, each"
        " checked against its hash in requirements/.",
    )
    parser.add_argument("--release", choices=RELEASES, required=True, help="the release of Debian or Raspberry Pi OS")
    parser.add_argument("--architecture", choices=TRIPLETS, required=True, help="arm64 for a Raspberry Pi")
    parser.add_argument(
        "--bundle", action="store_true", help="also a tar of them and all they need, which installs without a network"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where to put it")
    args = parser.parse_args()
    target, folder = Target(args.release, args.architecture), args.output.resolve()
    try:
        have_tools(target)
        with TemporaryDirectory() as scratch:
            made = build(target, Archive(target, Path(scratch)), folder)
            if args.bundle:
                made = (*made, make_bundle(target, made, folder))
    except CantPackage as error:
        print(f"scripts/package: {error}", file=sys.stderr)
        return 1
    for each in made:
        print(each)
    return 0


def have_tools(target: Target) -> None:
    """Install the compiler for lgpio if the target needs it; raise `CantPackage` if it isn't available."""
    if target.python < (3, 13):
        return
    compiler, native = f"{TRIPLETS[target.architecture]}-gcc", run(["dpkg", "--print-architecture"]).strip()
    package = "gcc" if native == target.architecture else f"gcc-{TRIPLETS[target.architecture].replace('_', '-')}"
    headers = (
        "/usr/include/stdio.h:libc6-dev"
        if native == target.architecture
        else f"/usr/{TRIPLETS[target.architecture]}/include/stdio.h:libc6-dev-{target.architecture}-cross"
    )
    tools = [f"{compiler}:{package}", headers, "swig:swig"]
    if subprocess.run([ROOT / "scripts/packages", *tools], check=False).returncode:
        raise CantPackage("lgpio has to be compiled for this release, and that takes these packages.")


if __name__ == "__main__":
    sys.exit(main())
