"""`--cluster`: the same run on the workers of a Dask cluster (docs/scaling.md)."""
