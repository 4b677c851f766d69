"""`python -m impassable` is `verify`; as a file, it is what `impassable.calling` starts."""

import os
import sys

if not __package__:  # started as a file: nothing says yet where the package is
    sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))  # noqa: PTH120 - imports nothing

from impassable.program import main

if __name__ == "__main__":
    main()
