"""Finding the hosts on this machine, asking each what is true about it, and setting Herma up there and out again.

A plan and a removal are values; `apply` and `undo` are the only modules here that change anything.
"""
