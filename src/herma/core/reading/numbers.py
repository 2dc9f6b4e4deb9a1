"""Whole numbers as models write them."""

__all__ = ["whole_number"]


def whole_number(value: object) -> int | None:
    """A whole number, also from text, for models send both and hosts accept both; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, (int, str)):
        try:
            return int(value)
        except ValueError:
            return None
    return None
