"""Pure decisions: values in, values out. No files, clock, randomness, environment, logging or threads."""
