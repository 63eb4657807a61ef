"""`lift twin`: do two functions compute the same? The room's door is `run`."""
