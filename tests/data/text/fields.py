"""A point."""


class Point:
    """Five attributes in a row look like settings of sysctl."""

    def __init__(self, x, y, z, unit, name):
        self.x = x
        self.y = y
        self.z = z
        self.unit = unit
        self.name = name
