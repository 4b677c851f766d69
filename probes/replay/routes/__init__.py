"""Which ways around a barrier there are, and what became of one."""
