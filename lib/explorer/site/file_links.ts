import { html, type Markup } from "../../reports/page/html_cell.ts";

/** Files of a table that the page links. */
const MAX_FILES = 20;

/** Renders links to the files of the dataset, those of each table together, and to the lists. */
export function renderFileLinks(files: readonly string[]): Markup {
  const link = (path: string, name = path) => html`<li><a href="${path}" download>${name}</a></li>`;
  const folders = Map.groupBy(files, (path) => path.slice(0, path.lastIndexOf("/") + 1));
  const descriptions = folders.get("") ?? [];
  const tables = [...folders].filter(([folder]) => folder !== "");
  return html`
    <section id="files" aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      <p>The folder <code>data</code> is the dataset: <code>sha256sum -c SHA256SUMS</code> or
        <code>orderlens verify data</code> checks a copy of it.</p>
      <ul>${descriptions.map((path) => link(`data/${path}`, path))}</ul>
      <p>Lists as CSV, amounts in atoms:</p>
      <ul>${["orders.csv", "auctions.csv", "trades.csv"].map((path) => link(path))}</ul>
      ${tables.map(([folder, paths]) =>
        html`
          <details><summary>${folder} ${String(paths.length)}</summary>
            <ul>${paths.slice(0, MAX_FILES).map((path) =>
              link(`data/${path}`, path.slice(folder.length))
            )}</ul>
            ${paths.length > MAX_FILES
              ? html`<p>${String(paths.length - MAX_FILES)} more are in data/${folder}</p>`
              : ""}
          </details>
        `
      )}
    </section>
  `;
}
