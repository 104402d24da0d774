"""Accessibility faults of the page in a browser: the violations that axe-core finds."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT

from page.visitor import Visitor

OPTIONS = {"resultTypes": ["violations"], "preload": False}


def axe_faults(visitor: Visitor) -> list[str]:
    """The violations that axe-core finds, as sentences."""
    complaints = list(visitor.complaints)
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(AXE_SCRIPT)
    # of all that it says only this: the rest takes longer to bring here than to find
    violations = visitor.page.evaluate("async (options) => (await axe.run(options)).violations", OPTIONS)
    visitor.complaints[:] = complaints  # what the policy forbids axe-core to do is none of the page's
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}" for fault in violations for node in fault["nodes"]
    ]
