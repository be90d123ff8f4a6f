"""Writes executed notebooks as one page that loads nothing from anywhere.

    python build.py <page> <executed notebook>…

The page begins with a card for each notebook (its first picture, its title, its first sentences);
every notebook follows in full.
"""

import html
import posixpath
import re
import sys
from pathlib import Path

import jinja2
import nbformat
from nbconvert import HTMLExporter

HERE = Path(__file__).parent
# From the page's folder, build/gallery.
NOTEBOOKS = "../../notebooks"
ID = re.compile(r'(\sid=")([^"]+)(")')
ID_LISTS = re.compile(r'(\s(?:aria-labelledby|aria-describedby|aria-controls|for)=")([^"]+)(")')
ID_LINKS = re.compile(r'(\s(?:xlink:)?href="#)([^"]+)(")')
ID_URLS = re.compile(r'(url\((?:&quot;|["\'])?#)([^)"\'&]+)')
LINK = re.compile(r'(<a\s[^>]*?href=")([^"#:/][^":]*)(")')
LOADS = re.compile(
    r'<(?:script|link|iframe)\b|@import|<(?:img|image|source|use)\b[^>]*?(?:src|href)="(?!data:|#)',
    re.IGNORECASE,
)


def scope_ids(markup, scope):
    """Gives every id of `markup` a prefix, because two pictures on one page may use the same."""
    ids = {found[1] for found in ID.findall(markup)}

    def scoped(name):
        return f"{scope}-{name}" if name in ids else name

    def one(found):
        return found[1] + scoped(found[2]) + (found[3] if found.re.groups > 2 else "")

    def several(found):
        return found[1] + " ".join(scoped(name) for name in found[2].split()) + found[3]

    markup = ID_LISTS.sub(several, markup)
    for pattern in (ID_LINKS, ID_URLS, ID):
        markup = pattern.sub(one, markup)
    return markup


def retarget_links(markup, slugs):
    """Leads links between notebooks to their place on the page, other relative ones to the files."""

    def retarget(found):
        path, _, fragment = html.unescape(found[2]).partition("#")
        name = posixpath.basename(path)
        if name.endswith(".ipynb") and name.removesuffix(".ipynb") in slugs:
            target = "#" + name.removesuffix(".ipynb")
        else:
            target = posixpath.normpath(posixpath.join(NOTEBOOKS, path))
            target += f"#{fragment}" if fragment else ""
        return found[1] + html.escape(target) + found[3]

    return LINK.sub(retarget, markup)


def svgs(markup):
    """The outermost SVG elements of `markup`."""
    depth = 0
    start = 0
    for tag in re.finditer(r"<svg\b|</svg>", markup):
        if tag[0] == "</svg>":
            depth -= 1
            if depth == 0:
                yield markup[start : tag.end()]
        else:
            if depth == 0:
                start = tag.start()
            depth += 1


def area(svg):
    """Width times height, as its attributes say; a legend is smaller than its chart."""
    opening = svg[: svg.index(">")]
    sides = [re.search(rf'\s{side}="([\d.]+)', opening) for side in ("width", "height")]
    return float(sides[0][1]) * float(sides[1][1]) if all(sides) else 0.0


def cover(notebook):
    """The first picture of a notebook."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            pictures = list(svgs(data.get("image/svg+xml") or data.get("text/html") or ""))
            if pictures:
                return max(pictures, key=area)
            if "image/png" in data:
                return f'<img src="data:image/png;base64,{data["image/png"]}" alt="">'
    return ""


def title_and_line(notebook, slug):
    """The first heading, and the first paragraph that follows it, as plain text."""
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    heading = re.search(r"^#\s+(.+)$", prose, re.MULTILINE)
    if heading is None:
        return slug, ""
    paragraphs = (part.strip() for part in prose[heading.end() :].split("\n\n"))
    line = next((part for part in paragraphs if part and not part.startswith("#")), "")
    return plain(heading[1]), plain(line)


def plain(markdown):
    """Markdown without its marks, escaped for HTML."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", text)
    return html.escape(" ".join(text.split()))


def build(page, paths):
    exporter = HTMLExporter(
        template_name="notebook",
        extra_template_basedirs=[str(HERE)],
        exclude_anchor_links=True,
        embed_images=True,
    )
    slugs = {path.stem for path in paths}
    notebooks = []
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        resources = {"metadata": {"path": str(HERE.parents[1] / "notebooks"), "name": path.stem}}
        body, _ = exporter.from_notebook_node(notebook, resources)
        title, line = title_and_line(notebook, path.stem)
        notebooks.append({
            "slug": path.stem,
            "title": title,
            "line": line,
            "cover": scope_ids(cover(notebook), f"cover-{path.stem}"),
            "body": retarget_links(scope_ids(body, path.stem), slugs),
        })
    template = jinja2.Template((HERE / "page.html.j2").read_text(encoding="utf-8"))
    style = (HERE / "page.css").read_text(encoding="utf-8")
    text = template.render(notebooks=notebooks, style=style)
    loaded = LOADS.search(text)
    if loaded is not None:
        sys.exit(f"The page would load something: {text[loaded.start() : loaded.end() + 80]}")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]), [Path(path) for path in sys.argv[2:]])
