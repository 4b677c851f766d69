"""What is to be replayed: the failing command, the failure that it showed, and what is known of both."""
