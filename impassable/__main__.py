"""`python -m impassable` is `verify`; as a file, it is what `impassable.calling` starts."""

import sys
from pathlib import Path

if not __package__:  # started as a file: nothing says yet where the package is
    sys.path.append(str(Path(__file__).resolve().parents[1]))

from impassable.program import main

if __name__ == "__main__":
    main()
