"""The project's environments: one to develop in, one for each real host, made from pinned files.

`ensure` brings them to what the clone asks for, `path` says where one is, `check` says how they stand.
Standard library only, and readable by an older Python, which may have to say what to install.
"""
