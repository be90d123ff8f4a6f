"""Writes executed notebooks as one page that loads nothing from anywhere.

    python build.py <page> <executed notebook>…

The page begins with a card for each notebook (its first picture, its title, its first sentence);
every notebook follows in full.
"""

import base64
import html
import mimetypes
import posixpath
import re
import sys
from pathlib import Path

# Otherwise jsonschema loads it for a format that no notebook uses, and its grammar takes seconds.
sys.modules["rfc3987_syntax"] = None

import jinja2
import nbformat
from nbconvert import HTMLExporter

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"
# The same, seen from the page's folder, build/gallery.
NOTEBOOKS_FROM_PAGE = "../../notebooks"

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
ID = re.compile(r'(\sid=")([^"]+)(")')
ID_LISTS = re.compile(r'(\s(?:aria-labelledby|aria-describedby|aria-controls|for)=")([^"]+)(")')
ID_LINKS = re.compile(r'(\s(?:xlink:)?href="#)([^"]+)(")')
ID_URLS = re.compile(r"""(url\((?:&quot;|["'])?#)([^)"'&]+)()""")
HEADING_ID = re.compile(r'(<h[1-6]\s[^<>]*?id=")([^"]+)(")')
LINK = re.compile(r'(<a\s[^<>]*?href=")([^":/][^":]*)(")')
IMAGE = re.compile(r'(<img\s[^<>]*?src=")([^":]+)(")')
LOADS = re.compile(
    r"""<(?:script|link|iframe)\b|@import\s+(?:url|["'])|"""
    r"""<(?:img|image|source|use)\b[^<>]*?\s(?:xlink:href|href|src)=["'](?!data:|#)""",
    re.IGNORECASE,
)


def scope_ids(markup, scope):
    """Gives every id of a picture a prefix: another one on the page may use the same."""
    ids = {found[2] for tag in TAG.findall(markup) for found in ID.finditer(tag)}

    def scoped(found):
        names = (f"{scope}-{name}" if name in ids else name for name in found[2].split())
        return found[1] + " ".join(names) + found[3]

    def scope_tag(tag):
        text = tag[0]
        for pattern in (ID, ID_LISTS, ID_LINKS):
            text = pattern.sub(scoped, text)
        return text

    return ID_URLS.sub(scoped, TAG.sub(scope_tag, markup))


def settle_prose(markup, slug, slugs):
    """Leads the links of a text to their place on the page or to the files; puts its images in."""

    def heading(found):
        return f"{found[1]}{slug}-{found[2]}{found[3]}"

    def link(found):
        path, _, fragment = html.unescape(found[2]).partition("#")
        name = posixpath.basename(path).removesuffix(".ipynb")
        if path == "":
            target = f"#{slug}-{fragment}"
        elif path.endswith(".ipynb") and name in slugs:
            target = f"#{name}-{fragment}" if fragment else f"#{name}"
        else:
            target = posixpath.normpath(posixpath.join(NOTEBOOKS_FROM_PAGE, path))
            target += f"#{fragment}" if fragment else ""
        return found[1] + html.escape(target) + found[3]

    def image(found):
        path = NOTEBOOKS / html.unescape(found[2])
        kind = mimetypes.guess_type(path.name)[0]
        content = base64.b64encode(path.read_bytes()).decode()
        return f"{found[1]}data:{kind};base64,{content}{found[3]}"

    return IMAGE.sub(image, LINK.sub(link, HEADING_ID.sub(heading, markup)))


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
    """The first heading, and the first sentence that follows it, as plain text."""
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    heading = re.search(r"^#\s+(.+)$", prose, re.MULTILINE)
    if heading is None:
        return slug, ""
    paragraphs = (part.strip() for part in prose[heading.end() :].split("\n\n"))
    line = next((part for part in paragraphs if part and not part.startswith("#")), "")
    return plain(heading[1]), re.split(r"(?<=[.!?])\s", plain(line))[0]


def plain(markdown):
    """Markdown without its marks, escaped for HTML."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", text)
    return html.escape(" ".join(text.split()))


def build(page, paths):
    exporter = HTMLExporter(template_name="notebook", extra_template_basedirs=[str(HERE)])
    slugs = {path.stem for path in paths}
    notebooks = []
    for path in paths:
        slug = path.stem
        shown = []

        def keep(markup):
            # nbconvert writes the page anew at the end, with the names of SVG in lower case.
            shown.append(scope_ids(markup, f"{slug}-{len(shown)}"))
            return f"<!--shown {len(shown) - 1}-->"

        exporter.register_filter("prose", lambda markup: settle_prose(markup, slug, slugs))
        exporter.register_filter("keep", keep)
        notebook = nbformat.read(path, as_version=4)
        body, _ = exporter.from_notebook_node(notebook)
        body = re.sub(r"<!--shown (\d+)-->", lambda found: shown[int(found[1])], body)
        title, line = title_and_line(notebook, slug)
        notebooks.append({
            "slug": slug,
            "title": title,
            "line": line,
            "cover": scope_ids(cover(notebook), f"{slug}-cover"),
            "body": body,
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
