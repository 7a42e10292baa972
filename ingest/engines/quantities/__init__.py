"""Quantities of texts that no reader knows: tables, key and value, status lines as rows of typed cells.

    grids_of(["pool   read  write", "tank     904   1.1K", …])  ->  one Grid of 3 columns
    meaning_of("await")                                          ->  the row of `quantities.yaml`

The splitter knows no tool. What a name means (unit, direction, normal range with its source) is data.
"""
