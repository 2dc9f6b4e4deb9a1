"""Herma: the layer at the door of an AI agent."""

__all__ = ["__version__"]

__version__ = "0.1.0"
