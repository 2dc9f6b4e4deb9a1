"""Makes one function of Herma fail, as the file that SABOTAGE names says: `<when> <how> <module> <qualified name>`.

`when` is `door` (from a message's arrival to the next one's), `turn` (from the start of a turn to the model's answer) or
`call` (from that answer to the end of the call in it). `how` is `raise`, `garbage` (an answer that nothing can be done with) or `hang` (until somebody writes into the
pipe that lies beside the file). `<when> trace <file>` writes into a file which functions of Herma are passed then.
"""

import os
import sys
import threading
from pathlib import Path

ORDER = Path(os.environ["SABOTAGE"])
UNDO = []


class Garbage:
    """Raises whatever is done with it, except when it is asked what it is."""

    def __getattribute__(self, name):
        if name == "__class__":
            return Garbage
        raise RuntimeError("garbage")

    def _raise(self, *_a, **_k):
        raise RuntimeError("garbage")

    __bool__ = __iter__ = __len__ = __eq__ = __ne__ = __lt__ = __getitem__ = __call__ = __contains__ = _raise
    __enter__ = __exit__ = __str__ = __hash__ = _raise


def failing(how, old):
    def fail(*a, **k):
        if getattr(old, "__name__", "") == "__exit__":
            old(*a, **k)  # what was taken is given back, or nothing would go on whatever follows
        if how == "garbage":
            return Garbage()
        if how == "hang":
            ORDER.with_suffix(".pipe").read_text("utf-8")
        raise RuntimeError("sabotage")

    return fail


def replaced(owner, name, new):
    old = owner.__dict__[name]
    kind = type(old) if isinstance(old, (staticmethod, classmethod, property)) else None
    setattr(owner, name, kind(new) if kind else new)
    UNDO.append((owner, name, old))


def sabotage(how, module, qualified):
    owner = sys.modules[module]
    *inside, name = qualified.split(".")
    for each in inside:
        owner = getattr(owner, each)
    if inside:
        replaced(owner, name, failing(how, owner.__dict__[name]))
        return
    old = owner.__dict__[name]
    for other in [each for key, each in list(sys.modules.items()) if key.startswith("herma")]:
        for alias, value in list(vars(other).items()):
            if value is old:
                replaced(other, alias, failing(how, old))


def trace(target):
    seen = set(Path(target).read_text("utf-8").splitlines()) if Path(target).exists() else set()

    def look(frame, event, _arg):
        module = frame.f_globals.get("__name__", "")
        if event != "call" or not module.startswith("herma."):
            return
        key = f"{module} {frame.f_code.co_qualname}"
        if key not in seen and "<" not in key:
            seen.add(key)
            with open(target, "a", encoding="utf-8") as out:
                out.write(key + "\n")

    threading.setprofile(look)
    sys.setprofile(look)


def begin(when, *, only=""):
    words = ORDER.read_text("utf-8").split() if ORDER.exists() else []
    if words[:1] != [when] or (only and words[1] != only):
        return
    if words[1] == "trace":
        trace(words[2])
    else:
        sabotage(*words[1:])


def end():
    threading.setprofile(None)
    sys.setprofile(None)
    while UNDO:
        setattr(*UNDO.pop())


def pre_gateway_dispatch(**_):
    end()
    begin("door")


def pre_llm_call(**_):
    begin("turn")


def llm_request(**_):
    begin("turn", only="trace")  # 0.22 runs hooks on threads of their own, and this on the one that sends the request


def post_api_request(**_):
    end()
    begin("call")


def post_tool_call(**_):
    end()


def register(ctx):
    ctx.register_hook("pre_gateway_dispatch", pre_gateway_dispatch)
    ctx.register_hook("pre_llm_call", pre_llm_call)
    ctx.register_middleware("llm_request", llm_request)
    ctx.register_hook("post_api_request", post_api_request)
    ctx.register_hook("post_tool_call", post_tool_call)
