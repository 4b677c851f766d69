"""Where commands are replayed: images, limits, network policy and one Docker session."""
