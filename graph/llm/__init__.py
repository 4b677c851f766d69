"""A language model that may propose, suggest and word; it never decides (verdict rule 11).

Nothing here imports the model's library before a question goes out.
"""

from graph.llm.options import ModelOptions, Price

__all__ = ["ModelOptions", "Price"]
