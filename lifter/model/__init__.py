"""What the rooms hand on: kernels, stages, summaries, proofs, records, diagnostics.

Imported by its modules (`model.kernel`, `model.summary`, ...); none of them loads a heavy tool.
"""
