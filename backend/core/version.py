"""The version of this code, the same as in `pyproject.toml`.

Written here and not read from the distribution: looking that up takes a tenth of the start of the command.
"""

VERSION = "0.1.0"
