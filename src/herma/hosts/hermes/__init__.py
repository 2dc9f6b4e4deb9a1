"""Hermes Agent, from 0.19 on. Every module here but the plugins themselves works without Hermes installed."""
