"""Writes what passes the tool hooks to the JSON-lines file that OBSERVER_LOG names.

OBSERVER_TEXT=1 adds the full text of results. OBSERVER_VETO vetoes `read_file` of every path that contains it. At the
end of each turn and of the session the counters of Herma are written, where it is installed.
"""

import hashlib
import json
import os
import threading

IDS = ("session_id", "task_id", "turn_id", "tool_call_id")
LOCK = threading.Lock()


def write(**record):
    path = os.environ.get("OBSERVER_LOG")
    if not path:
        return
    line = json.dumps({**record, "thread": threading.current_thread().name}, ensure_ascii=False, default=repr)
    with LOCK, open(path, "a", encoding="utf-8") as log:
        log.write(line + "\n")


def described(result):
    text = result if isinstance(result, str) else repr(result)
    facts = {
        "sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "length": len(text),
        "type": type(result).__name__,
    }
    return {**facts, "text": text} if os.environ.get("OBSERVER_TEXT") == "1" else facts


def tool_event(event, seen, **more):
    ids = {name: seen.get(name, "") for name in IDS}
    write(event=event, tool=seen.get("tool_name", ""), args=seen.get("args"), **ids, **more)


def pre_tool_call(**seen):
    forbidden = os.environ.get("OBSERVER_VETO")
    path = str((seen.get("args") or {}).get("path", ""))
    vetoed = bool(forbidden) and seen.get("tool_name") == "read_file" and forbidden in path
    tool_event("pre_tool_call", seen, vetoed=vetoed)
    return {"action": "block", "message": f"The observer vetoes {path}."} if vetoed else None


def post_tool_call(**seen):
    tool_event("post_tool_call", seen, status=seen.get("status", ""), **described(seen.get("result")))


def transform_tool_result(**seen):
    tool_event("transform_tool_result", seen, **described(seen.get("result")))


def tool_execution(next_call=None, **seen):
    tool_event("tool_execution_begins", seen)
    result = next_call(seen.get("args"))
    tool_event("tool_execution", seen, **described(result))
    return result


def counters(event):
    def observe(**seen):
        try:
            from herma.app import snapshot
        except ImportError:
            write(event=event, session_id=seen.get("session_id", ""))
            return
        write(event=event, session_id=seen.get("session_id", ""), counters=snapshot())

    return observe


def register(ctx):
    ctx.register_hook("pre_tool_call", pre_tool_call)
    ctx.register_hook("post_tool_call", post_tool_call)
    ctx.register_hook("transform_tool_result", transform_tool_result)
    ctx.register_hook("on_session_end", counters("on_session_end"))
    ctx.register_hook("on_session_finalize", counters("on_session_finalize"))
    ctx.register_middleware("tool_execution", tool_execution)
