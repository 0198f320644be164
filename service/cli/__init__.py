"""The command line: `elenchus`. `main` is the program; its commands are in the table `service.cli.commands`."""

from __future__ import annotations

from elenchus.service.cli import signals


def main() -> None:
    """Run the program `elenchus`, which hears signals before it loads anything else."""
    signals.take_over()

    from elenchus.service.cli.program import main as program

    program()
