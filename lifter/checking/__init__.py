"""`lift verify`: committed summaries against their sources as they are now: the room's door."""
