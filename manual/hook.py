"""Makes the site's pages of the same Markdown that the forge shows.

The forge reads Markdown by CommonMark's rules and its own; MkDocs reads it by Python-Markdown's. Before MkDocs converts
a page, this hook writes it in the second form: it indents what belongs to a list item by four spaces, leaves one word
to a fence, drops comments, and leads a link that leaves the site to the repository. The files stay as they are.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs/"

_LOG = logging.getLogger("mkdocs.hooks.manual")
_MARKER = re.compile(r"( *)([-*+]|\d+\.)( +)(?=\S)")
_FENCE = re.compile(r" *(`{3,}|~{3,}) *([\w-]*).*")
_TARGET = re.compile(r"(\]\(|<img src=\")([^)\s\"#]+)(#[^)\s\"]*)?(?=[)\s\"])")
_IMAGE = re.compile(r"(?:!\[[^\]]*\]\(|<img src=\")([^)\s\"#]+)")
_CODE = re.compile(r"`[^`]*`")
_ABSOLUTE = re.compile(r"[a-z]+:|/")
_INDENT = 4


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give headings the anchors that they have on the forge."""
    extensions = cast("dict[str, dict[str, object]]", config.mdx_configs)  # pyright: ignore[reportUnknownMemberType]
    extensions.setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take in the pages beside ``docs/`` that the configuration lists, and the pictures outside it that pages show."""
    patterns = cast("list[str]", config.extra["beside"])
    for path in [path.relative_to(ROOT).as_posix() for each in patterns for path in sorted(ROOT.glob(each))]:
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for page in list(files.documentation_pages()):
        for target in _IMAGE.findall(page.content_string):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(_in_repository(page)), target))
            if not path.startswith(DOCS) and (ROOT / path).is_file() and files.get_file_from_path(path) is None:
                files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the page as Python-Markdown reads it, with links that work on the site."""
    return "\n".join(
        line if is_code else _TARGET.sub(lambda found: found[1] + _link(found, page.file, config, files), line)
        for line, is_code in as_python_markdown(markdown)
    )


def slug(heading: str, separator: str) -> str:
    """Return the anchor that the forge gives to a heading."""
    return re.sub(r"[^\w\s-]", "", heading.strip().lower()).replace(" ", separator)


def as_python_markdown(markdown: str) -> Iterator[tuple[str, bool]]:
    """Each line in the form that Python-Markdown reads, and whether it is code.

    ``items`` holds the column at which the content of each open list item begins; ``loose`` says that one of them has
    more than a paragraph, after which Python-Markdown wants a blank line before the next item.
    """
    items: list[int] = []
    loose = False
    fence = ""
    after_blank, in_comment = True, False
    for line in markdown.splitlines():
        content = line.lstrip(" ")
        column = len(line) - len(content)
        if fence:
            base = items[-1] if items else 0
            yield (" " * _INDENT * len(items) + line[min(base, column) :] if content else ""), True
            if content.rstrip() == fence:
                fence, loose = "", bool(items)
        elif in_comment or content.startswith("<!--"):
            in_comment = "-->" not in content
        elif not content:
            after_blank = True
            loose = loose or bool(items)
            yield "", False
        else:
            opened, marker = _FENCE.fullmatch(line), _MARKER.match(line)
            in_paragraph = not (after_blank or items)
            if after_blank or opened or marker:
                while items and column < items[-1]:
                    items.pop()
            loose = loose and bool(items or marker)
            if marker and not after_blank and (in_paragraph or loose):
                yield "", False
            indent = " " * (_INDENT * len(items) + max(0, column - (items[-1] if items else 0)))
            if opened:
                fence = opened[1]
                yield f"{indent}{fence}{opened[2]}", True
            elif marker:
                items.append(marker.end())
                yield f"{indent}{marker[2]} {line[marker.end() :]}", False
            elif content.startswith("|"):  # a bar in code separates no cells here, so nothing marks it
                yield indent + _CODE.sub(lambda code: code[0].replace("\\|", "|"), content), False
            else:
                yield indent + content, False
            after_blank = False


def _in_repository(file: File) -> str:
    """The path of a page's source from the project's folder."""
    return file.src_uri if file.generated_by else DOCS + file.src_uri


def _link(found: re.Match[str], page: File, config: MkDocsConfig, files: Files) -> str:
    """The target of a link as the site needs it: of another page, of a picture, or of the repository."""
    target, anchor = found[2], found[3] or ""
    if _ABSOLUTE.match(target):
        return target + anchor
    path = posixpath.normpath(posixpath.join(posixpath.dirname(_in_repository(page)), target))
    repository = (config.repo_url or "").rstrip("/")
    if path.startswith("../"):  # beside the branch, where the forge has its own pages
        return f"{repository}/{path.lstrip('./')}"
    if not (ROOT / path).exists():
        _LOG.warning("%s links to %s, which is not in the repository", _in_repository(page), path)
    on_site = path.removeprefix(DOCS)
    if files.get_file_from_path(on_site) is not None:
        return posixpath.relpath(on_site, posixpath.dirname(page.src_uri) or ".") + anchor
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{repository}/{kind}/{config.extra['branch']}/{path}{anchor}"
