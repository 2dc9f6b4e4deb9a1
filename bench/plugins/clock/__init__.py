"""Measures, inside the host, the CPU of importing and registering Herma's plugins beside that of an empty one.

The report goes to the file that HERMA_CLOCK names. The plugins are asked to register with the host's own context.
"""

import importlib
import importlib.metadata
import json
import os
import sys
import time


def cpu_ms(work):
    start = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - start) / 1e6


def load(name, ctx):
    importlib.import_module(name).register(ctx)


def empty(ctx):
    """An empty plugin that registers one of each kind: what the host itself does then, on first use, is not ours."""
    ctx.register_hook("transform_tool_result", lambda **_: None)
    ctx.register_middleware("tool_execution", lambda next_call=None, **_: next_call())
    ctx.register_command("clock-nothing", lambda raw="": "", description="nothing")


def register(ctx):
    report = os.environ.get("HERMA_CLOCK")
    if not report:
        return
    points = importlib.metadata.entry_points(group="hermes_agent.plugins")
    names = sorted(point.value for point in points if point.value.startswith("herma."))
    assert not any(name == "herma" or name.startswith("herma.") for name in sys.modules), "measured cold"
    floor = cpu_ms(lambda: empty(ctx))
    spent = {name: cpu_ms(lambda name=name: load(name, ctx)) for name in names}
    with open(report, "w", encoding="utf-8") as out:
        json.dump({"plugins": sum(spent.values()), "each": spent, "floor": floor}, out)
