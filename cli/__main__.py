"""`python -m cli` is `casebook`."""

from cli import main

main(prog_name="casebook")
