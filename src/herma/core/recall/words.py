"""What English says most and means least, in questions and elsewhere."""

import re

__all__ = ["COMMON", "FRAME"]

# Left out of a question that has other words.
COMMON = frozenset(
    re.findall(
        r"\w+",
        """
    a about above after again against all am an and any are aren as at be because been before being below between both
    but by can could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn
    have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m me might
    more most must my myself no nor not now o of off on once only or other our ours ourselves out over own re s same
    shall she should shouldn so some such t than that the their theirs them themselves then there these they this those
    through to too under until up us ve very was wasn we were weren what when where which while who whom whose why will
    with won would wouldn y you your yours yourself yourselves
    """,
    )
)

# What frames a question more than it says what is looked for: it counts for less.
FRAME = frozenset(
    re.findall(
        r"\w+",
        """
    according described describe different discuss ever get getting go going got kind kinds long many mention mentioned
    much name names often one particular share shared something someone sort specific thing things two type types use
    used various way ways
    """,
    )
)
