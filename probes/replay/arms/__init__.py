"""What is done with the failing command, in order: repeated, measured, named, got past, and lifted."""
