"""`python -m elenchus.service.cli` is `elenchus`."""

from __future__ import annotations

from elenchus.service.cli import main

if __name__ == "__main__":
    main()
