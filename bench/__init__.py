"""Where the numbers in the documents come from: `make bench`, `make bench ARGS=--json`."""
