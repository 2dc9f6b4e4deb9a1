"""Setting up in OpenCode: its configuration is one person's, whatever program of it runs."""
