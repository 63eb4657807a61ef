"""What a terminal shows of a run, and the same as JSON: nothing here decides anything."""
