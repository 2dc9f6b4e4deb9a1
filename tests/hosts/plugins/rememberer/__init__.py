"""A provider of memory that knows one secret of the operator's, and recalls it whoever asks for whatever."""

import json

from agent.memory_provider import MemoryProvider

SECRET = "the spare key lies under the third pot"


class Rememberer(MemoryProvider):
    name = "rememberer"

    def is_available(self):
        return True

    def initialize(self, session_id, **kwargs):
        pass

    def get_tool_schemas(self):
        return []

    def handle_tool_call(self, tool_name, args, **kwargs):
        return json.dumps({"error": tool_name})

    def system_prompt_block(self):
        return f"The provider's own block: {SECRET}."

    def prefetch(self, query, *, session_id=""):
        return f"{SECRET}, recalled for {query!r}"


def register(ctx):
    ctx.register_memory_provider(Rememberer())
