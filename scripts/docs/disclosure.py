"""A plugin's disclosure: all that it registers and touches."""

from herma.hosts.hermes.surface import Surface

__all__ = ["section"]


def section(surface: Surface) -> str:
    """The disclosure as a list, in the same words for every listing."""
    hooks = [f"`{hook.name}`: {hook.does}" for hook in surface.hooks]
    middleware = [f"`{hook.name}`: {hook.does}" for hook in surface.middleware]
    rows = (
        ("Hooks", hooks),
        ("Middleware", middleware),
        ("Tools", [f"`{name}`" for name in surface.tools]),
        ("Commands", [f"`{name}`" for name in surface.commands]),
        ("Approval transports", [f"`{name}`" for name in surface.transports]),
        ("Command line", [f"`hermes {name}`" for name in surface.shell_commands]),
        ("Files", [surface.files]),
        ("Processes", [surface.processes]),
        ("Network", [surface.network]),
        ("Host internals", list(surface.internals)),
    )
    return "\n".join(f"- **{name}:** {'; '.join(values) or 'none'}." for name, values in rows)
