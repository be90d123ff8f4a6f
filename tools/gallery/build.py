"""Writes executed notebooks as self-contained pages.

    python build.py <plan.json>

The plan has the `folder` of the pages, the `charts`, and the `notebooks`: of each its `source` and
the `target`, which is the executed copy. Each notebook has a page of its own, with its code folded
and its answer in short at the top. `index.html` says whether they read what ships (`isShipped`), and
has a card for each notebook (its first picture, its title, its answer in short), then one for each
chart, a link to the `site` of a dataset if there is one, and a search by name; `charts.html` shows
what each chart needs. With the name of a page as
`alone`, the only notebook becomes that page, and there is no other.
"""

import base64
import html
import json
import mimetypes
import os
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import unquote

# Otherwise jsonschema loads it for a format that no notebook uses, and its grammar takes seconds.
sys.modules["rfc3987_syntax"] = None

import jinja2
import nbformat
from nbconvert import HTMLExporter

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
# The tag of the cell whose answer stands at the top of the page.
IN_SHORT = "in-short"

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
ID = re.compile(r'(\sid=")([^"]+)(")')
ID_LISTS = re.compile(r'(\s(?:aria-labelledby|aria-describedby|aria-controls|for)=")([^"]+)(")')
ID_LINKS = re.compile(r'(\s(?:xlink:)?href="#)([^"]+)(")')
ID_URLS = re.compile(r"""(url\((?:&quot;|["'])?#)([^)"'&]+)()""")
LINK = re.compile(r'(<a\s[^<>]*?href=")([^":/][^":]*)(")')
IMAGE = re.compile(r'(<img\s[^<>]*?src=")([^":]+)(")')
LOADS = re.compile(
    r"""<(?:link|iframe)\b|<script\b[^<>]*?\s(?:src|href)\b|@import\s+(?:url|["'])|"""
    r"""<(?:img|image|source|use)\b[^<>]*?\s(?:xlink:href|href|src)=["'](?!data:|#)""",
    re.IGNORECASE,
)


def scope_ids(markup, scope):
    """Prefixes every id of a picture, since another picture of the page may use the same."""
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


def settle_prose(markup, slugs, source, folder):
    """Turns the links of a notebook's text into page or file links, and embeds its images."""

    def link(found):
        path, hash_mark, fragment = html.unescape(found[2]).partition("#")
        name = posixpath.basename(path).removesuffix(".ipynb")
        if path == "":
            target = ""
        elif path.endswith(".ipynb") and name in slugs:
            target = f"{name}.html"
        else:
            target = os.path.relpath(source.parent / path, folder).replace(os.sep, "/")
        return found[1] + html.escape(target + hash_mark + fragment) + found[3]

    def image(found):
        path = source.parent / unquote(html.unescape(found[2]))
        if not path.is_file():
            sys.exit(f"{source.name} shows the image {found[2]}, which is not there")
        kind = mimetypes.guess_type(path.name)[0]
        content = base64.b64encode(path.read_bytes()).decode()
        return f"{found[1]}data:{kind};base64,{content}{found[3]}"

    return IMAGE.sub(image, LINK.sub(link, markup))


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
    """Width times height of its attributes; a legend is smaller than its chart."""
    opening = svg[: svg.index(">")]
    sides = [re.search(rf'\s{side}="([\d.]+)', opening) for side in ("width", "height")]
    return float(sides[0][1]) * float(sides[1][1]) if all(sides) else 0.0


def outputs_of(cells):
    return (output.get("data", {}) for cell in cells for output in cell.get("outputs", []))


def cover(notebook):
    """The first picture of a notebook."""
    for data in outputs_of(notebook.cells):
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


def in_short(notebook):
    """The answer of the notebook's cell of that tag, as Markdown."""
    cells = (cell for cell in notebook.cells if IN_SHORT in cell.metadata.get("tags", []))
    return "\n\n".join(filter(None, (data.get("text/markdown") for data in outputs_of(cells))))


def plain(markdown):
    """Markdown without its marks, escaped for HTML."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", text)
    return html.escape(" ".join(text.split()))


def body_of(notebook, exporter, slug):
    shown = []

    def keep(markup):
        # nbconvert writes the page anew at the end, with the names of SVG in lower case.
        shown.append(scope_ids(markup, f"{slug}-{len(shown)}"))
        return f"<!--shown {len(shown) - 1}-->"

    exporter.register_filter("keep", keep)
    body, _ = exporter.from_notebook_node(notebook)
    return re.sub(r"<!--shown (\d+)-->", lambda found: shown[int(found[1])], body)


def name_file(source):
    """The path of a notebook of the project, the name of another."""
    inside = PROJECT in source.parents
    return source.relative_to(PROJECT).as_posix() if inside else source.name


def read(path, source, exporter):
    notebook = nbformat.read(path, as_version=4)
    title, line = title_and_line(notebook, path.stem)
    return {
        "slug": path.stem,
        "file": name_file(source),
        "title": title,
        "line": line,
        "short": exporter.environment.filters["markdown2html"]({}, in_short(notebook)),
        "cover": scope_ids(cover(notebook), f"{path.stem}-cover"),
        "body": body_of(notebook, exporter, path.stem),
    }


def build(folder, alone, shipped, index, site, notebooks):
    exporter = HTMLExporter(template_name="notebook", extra_template_basedirs=[str(HERE)])
    slugs = {path.stem for path, _ in notebooks} if alone is None else set()

    def read_one(path, source):
        prose = lambda markup: settle_prose(markup, slugs, source, folder)  # noqa: E731
        exporter.register_filter("prose", prose)
        return read(path, source, exporter)

    notebooks = [read_one(*paths) for paths in notebooks]
    charts = index["charts"]
    highlight = exporter.environment.filters["highlight_code"]
    for chart in charts:
        chart["svg"] = scope_ids(chart["svg"], chart["name"])
        chart["html"] = scope_ids(chart["html"], f"{chart['name']}-drawn")
        chart["code"] = highlight(chart["code"])
    pages = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE))
    shared = {
        "notebooks": notebooks,
        "charts": charts,
        "site": site,
        "shipped": shipped,
        "beginning": highlight(index["beginning"]),
        "style": (HERE / "page.css").read_text(encoding="utf-8"),
        "script": (HERE / "page.js").read_text(encoding="utf-8"),
    }

    loading = []

    def write(name, template, **values):
        text = pages.get_template(template).render(**shared, **values)
        loaded = LOADS.search(text)
        if loaded is not None:
            excerpt = text[loaded.start() : loaded.end() + 80].replace("\n", " ")
            return loading.append(f"{name} would load something: {excerpt}")
        (folder / name).write_text(text, encoding="utf-8")

    folder.mkdir(parents=True, exist_ok=True)
    if alone is not None:
        write(alone, "notebook.html.j2", notebook=notebooks[0], alone=True)
    else:
        write("index.html", "index.html.j2")
        if charts:
            write("charts.html", "charts.html.j2")
        for place, notebook in enumerate(notebooks):
            neighbours = {
                "previous": notebooks[place - 1] if place > 0 else None,
                "next": notebooks[place + 1] if place + 1 < len(notebooks) else None,
            }
            write(f"{notebook['slug']}.html", "notebook.html.j2", notebook=notebook, **neighbours)
    if loading:
        sys.exit("; ".join(loading))


if __name__ == "__main__":
    plan = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    build(
        Path(plan["folder"]),
        plan["alone"],
        plan["isShipped"],
        plan["charts"],
        plan["site"],
        [(Path(one["target"]), Path(one["source"])) for one in plan["notebooks"]],
    )
