"""The version of the running distribution."""

from importlib.metadata import version

VERSION = version("casebook")
