"""Translators: what a host says becomes an event, what we decide becomes the host's answer."""
