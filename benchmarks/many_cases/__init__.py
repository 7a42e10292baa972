"""A database of many cases, and what each request of a page costs on it.

python -m benchmarks.many_cases 1000 10000 100000      # writes benchmarks/SCALE.md
"""
