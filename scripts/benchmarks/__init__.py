"""Benchmarks. Each module here is a command of `scripts/bench` with `main(argv)`; the folders hold
their parts. Figures are ratios within one interleaved run: absolute ones belong to the machine.
"""
