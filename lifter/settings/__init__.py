"""What a run is told: configuration files, flags, options, assumptions."""
