"""Series: rows over time as one value per row, their gaps, and their worst window.

    series_of(reading, "cpu.system_share")  ->  one Series per device, CPU or interface that has rows
    worst_window(series, above=0.5)         ->  Window(first=12, last=14, seconds=3.0, height=0.92, …)

Nothing here knows what value is high: thresholds are of those who judge.
"""
