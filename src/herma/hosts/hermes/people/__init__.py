"""The gateway of Hermes and the people who talk to it."""
