"""What the site has beyond docs/: README and its neighbours, the examples, one API page a package, and formulas.

Formulas become MathML when the site is built, which browsers draw themselves: no script, no network.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "poise"
NEIGHBOURS = {  # file of the repository -> page of the site
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
}
KEYS = ("Balance", "Stepping", "Coordination", "Abstract", "Rolling")  # papers, cited as [Balance]
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', flags=re.S)


def on_config(config):
    """The API pages, in the order of the layers."""
    pages = [{name: uri} for name, uri in _packages().items()]
    config.nav.append({"API": [{"poise": "api/index.md"}, *pages]})
    return config


def on_files(files, config):
    """Pages that are not in docs/."""
    for source, uri in NEIGHBOURS.items():
        files.append(File.generated(config, uri, content=_moved((ROOT / source).read_text(encoding="utf-8"))))
    for picture in sorted((ROOT / "examples" / "pictures").glob("*.png")):
        files.append(File.generated(config, f"pictures/{picture.name}", abs_src_path=str(picture)))
    for script in sorted((ROOT / "examples").glob("*/*.py")):
        uri = f"{script.parent.name}/{script.name}"
        files.append(File.generated(config, uri, abs_src_path=str(script)))
    files.append(File.generated(config, "api/index.md", content=_public()))
    for name, uri in _packages().items():
        files.append(File.generated(config, uri, content=_page(name)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links of docs/ to its neighbours, which lie beside them here; keys of papers lead to the references."""
    if page.file.src_uri != "references.md" and not page.file.src_uri.startswith("api/"):
        markdown += "\n\n" + "\n".join(f"[{key}]: references.md#{key.lower()}" for key in KEYS)
    return _moved(markdown)


def on_page_content(content, page, config, files):
    """Formulas as MathML."""

    def drawn(match: re.Match) -> str:
        display = "block" if match[2] == "[" else "inline"
        return convert(html.unescape(match[3]).strip(), display=display)

    return FORMULA.sub(drawn, content)


def _moved(text: str) -> str:
    """Links as seen from docs/: every page lies flat beside the others."""
    text = re.sub(r"\]\((?:\.\./)?docs/", "](", text)
    for source, uri in NEIGHBOURS.items():
        text = re.sub(rf"\]\((?:\.\./)?{re.escape(source)}", f"]({uri}", text)
    text = text.replace("](../examples/", "](")
    return text.replace("[CITATION.cff](CITATION.cff)", "`CITATION.cff`")


def _packages() -> dict[str, str]:
    """Every package, and every module that lies beside them, with its page."""
    found = {}
    for path in sorted([*PACKAGE.rglob("__init__.py"), *PACKAGE.glob("*.py")]):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name != "poise" and not name.endswith("__main__"):
            found[name] = f"api/{name}.md"
    return found


def _page(name: str) -> str:
    """One package: what it says of itself, then its modules."""
    folder = PACKAGE.parent / Path(*name.split("."))
    modules = sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__") if folder.is_dir() else []
    lines = [f"# {name}", "", f"::: {name}", ""]
    for module in modules:
        lines += [f"::: {name}.{module}", ""]
    return "\n".join(lines)


def _public() -> str:
    """The names of ``import poise``."""
    text = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    lines = [
        "# API",
        "",
        "What `import poise` gives; each name is loaded when first used. The rest is by package.",
        "",
    ]
    lines += ["| name | lives in |", "|---|---|"]
    for name, module, attribute in re.findall(r'"(\w+)": \("([\w.]+)", "(\w+)"\)', text):
        shown = f"`poise.{name}`" if name.isupper() else f"[`poise.{name}`][{module}.{attribute}]"
        lines.append(f"| {shown} | `{module}` |")
    return "\n".join([*lines, "| `poise.behaviours` | [`poise.behaviours`](poise.behaviours.md) |", ""])
