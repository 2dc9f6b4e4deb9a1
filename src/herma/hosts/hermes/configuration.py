"""Where a plugin's settings stand in a Hermes `config.yaml`, read through the host's own loader.

Two places are read: the top-level block that the plugin's users know, which wins, and
`plugins.entries.<plugin>.settings`, which Hermes 0.22 shows as a form.
"""

from collections.abc import Mapping

from herma.core.settings import Layer

__all__ = ["home", "layers", "loaded", "profile"]


def loaded() -> Mapping[str, object]:
    """The host's merged configuration. Read only: the host shares this object with itself."""
    from hermes_cli.config import load_config_readonly  # noqa: PLC0415 - exists only inside the host

    found = load_config_readonly()
    return found if isinstance(found, Mapping) else {}


def home() -> str:
    """The Hermes home that is in force here, as text."""
    from hermes_constants import get_hermes_home  # noqa: PLC0415 - exists only inside the host

    return str(get_hermes_home())


def profile(home: str) -> str:
    """The profile that a home belongs to: Hermes keeps each in a folder of its own below `profiles`.

    The plugin context would tell too, at the price of 6 ms for importing the host's module of profiles (0.22).
    """
    above, _, name = home.rstrip("/").rpartition("/")
    return name if above.endswith("/profiles") else "default"


def layers(config: Mapping[str, object], plugin: str, block: str) -> tuple[Layer, Layer]:
    """The two places of a plugin's settings in `config`, the one that wins first."""
    entry: object = config
    for key in ("plugins", "entries", plugin, "settings"):
        entry = entry.get(key) if isinstance(entry, Mapping) else None
    return Layer(block, config.get(block)), Layer(f"plugins.entries.{plugin}.settings", entry)
