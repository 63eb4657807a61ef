"""One file a subcommand; each has a click command named `command`."""
