"""The checks of `herma doctor`: pure functions of what an installation said."""
