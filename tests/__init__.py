"""The tests; a package so that `demo/` and `bench/` can import `tests.hosts` from the repository root."""
