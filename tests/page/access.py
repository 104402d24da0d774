"""What would shut somebody out of the page that a browser shows: the violations that axe-core finds."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

from page.visitor import Visitor

AXE = Axe()
OPTIONS = {"resultTypes": ["violations"], "preload": False}


def axe_faults(visitor: Visitor) -> list[str]:
    """What axe-core finds, as sentences."""
    complaints = list(visitor.complaints)
    result = AXE.run(visitor.page, options=OPTIONS)
    visitor.complaints[:] = complaints  # what the policy forbids axe-core to do is none of the page's
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in result.response["violations"]
        for node in fault["nodes"]
    ]
