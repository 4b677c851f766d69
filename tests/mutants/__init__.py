"""Small changes to the code that decides, each of which some test must notice."""
