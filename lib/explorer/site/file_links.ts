import { html, html as markup, type Markup } from "../../reports/page/html_cell.ts";
import { pluralize } from "../../units/format.ts";

/** Files of a table that the page links. */
const MAX_FILES = 20;

/** Lists of a site as files. */
const LISTS = ["orders.csv", "auctions.csv", "trades.csv"];

/** Copies the dataset of a site from a server, and checks it; `URL` is the address of the site. */
export const DOWNLOAD_COMMAND: string = 'base=URL/data; curl -sO "$base/SHA256SUMS" && ' +
  'cut -c67- SHA256SUMS | while read -r file; do curl -s --create-dirs -o "$file" "$base/$file"; ' +
  "done; sha256sum -c SHA256SUMS";

/** Renders links to the files of the dataset, those of each table together, and to the lists. */
export function renderFileLinks(files: readonly string[]): Markup {
  const link = (path: string, name = path) =>
    markup`<li><a href="${path}" download>${name}</a></li>`;
  const folders = Map.groupBy(files, (path) => path.slice(0, path.lastIndexOf("/") + 1));
  const descriptions = folders.get("") ?? [];
  const tables = [...folders].filter(([folder]) => folder !== "");
  return html`
    <section id="files" aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      <p>The folder <code>data</code> beside this page is the dataset. <code>orderlens verify data</code>
        checks it, as does <code>sha256sum -c SHA256SUMS</code> in the folder. From a server, this copies
        and checks it, with the address of the site for URL:</p>
      <pre tabindex="0">${DOWNLOAD_COMMAND}</pre>
      <ul>${descriptions.map((path) => link(`data/${path}`, path))}</ul>
      <p>Lists as CSV, amounts in atoms:</p>
      <ul>${LISTS.map((path) => link(path))}</ul>
      ${tables.map(([folder, paths]) => renderFolder(folder, paths, link))}
    </section>
  `;
}

function renderFolder(
  folder: string,
  paths: readonly string[],
  link: (path: string, name: string) => Markup,
): Markup {
  const links = paths.slice(0, MAX_FILES).map((path) =>
    link(`data/${path}`, path.slice(folder.length))
  );
  const omitted = paths.length - links.length;
  return markup`<details><summary>${folder}: ${pluralize(paths.length, "file")}</summary>
<ul>${links}</ul>${
    omitted === 0 ? "" : markup`<p>${String(omitted)} more are in data/${folder}</p>`
  }</details>`;
}
