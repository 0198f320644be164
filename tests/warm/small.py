"""A small program for the tests of `process.py`: it does what its first argument says, in Python."""

from __future__ import annotations

import os
import sys

exec(sys.argv[1], {"os": os, "sys": sys})  # noqa: S102 - the tests write it
