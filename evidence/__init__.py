"""What is left behind: the pack and its report."""
