"""Rules that are a threshold and a sentence: the rows of one file per question.

    {fact: cpu.steal_share, above: 0.03, below: 0.1, unit: share, words: "{value} of CPU time is stolen …"}

The value of `fact`, divided by `base` of the same item, is worth a sentence from `above` on; from `below` on
another analysis speaks of it. `words` hold the `{value}`, and what it is about, `{of}`: the label `subject`.
"""
