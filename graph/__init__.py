"""Who decides: classifier, planner, probe nodes and the judge, as a LangGraph workflow."""
