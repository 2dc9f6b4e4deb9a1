"""The real OpenCode, run offline: `opencode run` and `opencode serve` against the scripted model."""
