"""`python -m herma` is `herma`."""

from herma.cli.main import main

raise SystemExit(main())
