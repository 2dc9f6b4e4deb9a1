"""Vetoes `read_file` while the file that GATEKEEPER_FILE names exists."""

import os


def pre_tool_call(**seen):
    if seen.get("tool_name") == "read_file" and os.path.exists(os.environ.get("GATEKEEPER_FILE", "")):
        return {"action": "block", "message": f"The gatekeeper vetoes {seen['args']['path']}."}
    return None


def register(ctx):
    ctx.register_hook("pre_tool_call", pre_tool_call)
