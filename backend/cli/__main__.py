"""`python -m backend.cli` is `casebook`."""

from backend.cli import main

main(prog_name="casebook")
