"""Formats of lines as rows of data: which kinds of lines a tool prints, and what their groups are.

A form is a YAML file in place of a reader's module, `ingest/readers/bpf/klockstat.yaml`. Its keys:

    about       what is read, for people; the first sentence is shown
    name, title, command, example, priority, version     as of any format (`ingest.parsing.shapes`)
    begins      ways in which a text begins: kinds of lines in their order; {line, within, past} further below
    lines       kinds of lines, of which the first that fits decides
    rest        reason with which other lines are skipped
    of_command  expression of the command above the text; its groups are values of all lines
    totals      facts that are sums over rows
    longest     facts of the row with the largest value
    stacks      whether stacks of threads stand between the lines; else `remark` and `innermost` of its frames
    facts       what facts mean that no other format has

Keys of a kind of line:

    kind, match     its name and expression; names of groups are names of values
    when, needs, lacks      values of it or of lines above: which texts, whether there is any
    below       only below a row
    keeps       its values hold for the lines below
    row, cells  a row of this set, with these columns
    completes, first    values of the row above: set by this line, or by the first such line
    frame       a frame of a stack: {name, module}
    facts       facts of the line, or of each match of `each` in a group
    skip        reason with which it is skipped;  skips: a group whose text is skipped
    ends        the row above is complete

`values.py` describes cells and values of facts.
"""
