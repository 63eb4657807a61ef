"""A run of `lift` over many files: what is read, lifted, kept and told, in which order.

The way of a function: `sources` find its file, `one_file` reads it, `meaning` says whether an
earlier run knows it, `one_function` lifts it in a child of `workers`, `localize` tells the result
of this source, `result_folder` and `store` keep it, and `driver` tells of it
(docs/batch.md).
"""
