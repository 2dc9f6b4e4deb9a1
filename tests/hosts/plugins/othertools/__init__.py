"""Two tools that read files and answer in plain text: `Read` the whole file, `read_path` a window of its bytes."""

import os
from pathlib import Path

PATH = {"type": "string", "description": "The file, absolute or from the working directory."}
READ = {
    "name": "Read",
    "description": "Returns the text of a file.",
    "parameters": {"type": "object", "properties": {"path": PATH}, "required": ["path"]},
}
READ_PATH = {
    "name": "read_path",
    "description": "Returns the text of a window of a file's bytes.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": PATH,
            "byte_offset": {"type": "integer", "description": "Where to begin, from 0."},
            "byte_limit": {"type": "integer", "description": "How many bytes at most."},
        },
        "required": ["path"],
    },
}


def data_of(args):
    path = Path(args["path"]).expanduser()
    return (Path(os.environ.get("TERMINAL_CWD") or os.getcwd()) / path).read_bytes()


def read(args, **_):
    return data_of(args).decode("utf-8", "replace")


def read_path(args, **_):
    begin = int(args.get("byte_offset") or 0)
    limit = args.get("byte_limit")
    end = None if limit is None else begin + int(limit)
    return data_of(args)[begin:end].decode("utf-8", "replace")


def register(ctx):
    ctx.register_tool(name="Read", toolset="othertools", schema=READ, handler=read)
    ctx.register_tool(name="read_path", toolset="othertools", schema=READ_PATH, handler=read_path)
