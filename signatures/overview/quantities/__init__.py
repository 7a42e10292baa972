"""What quantities of texts without a reader say: limits, ranges, outliers, and what changes in time.

    derived(evidence)  ->  Bytes written of pool T stop for 4 rows, lines 11 to 14: 0, 232 MiB/s in the others

The splitter (`ingest.engines.quantities`) makes rows of the text, the dictionary there says what names mean.
What nothing here states, `signatures.overview.context` states as the largest share or value.
"""
