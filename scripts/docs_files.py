"""What the documentation takes from elsewhere in the repository, for MkDocs: the published schemas."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the schemas beside the pages."""
    for path in sorted((ROOT / "impassable" / "schemas").glob("*.json")):
        files.append(File.generated(config, f"schemas/{path.name}", abs_src_path=str(path)))
    return files
