"""The kit's version: in the log, and in the names of the packages."""

__version__ = "1.0.0"
