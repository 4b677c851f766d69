"""What all of one replay shares: the engine, images, logs, what it found, and how others repeat it."""
