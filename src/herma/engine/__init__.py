"""The imperative shell: loads facts, asks the core, applies what it decided, and never raises into a host."""
