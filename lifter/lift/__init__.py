"""The loop of lifting: a kernel to proved summaries, nest by nest, and to the record of that."""
