"""Random kernels in the styles of legacy code: a frame, a loop, a pixel and a value make one."""
