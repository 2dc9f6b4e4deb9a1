"""What the commands do for OpenCode."""
