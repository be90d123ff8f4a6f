import { defineRule } from "../../errors/option_rules.ts";
import type { DatasetModel } from "../state/dataset_model.ts";
import { PUBLICATION_HEADINGS } from "../state/dataset_card.ts";
import { formatGaps } from "../state/dataset_gaps.ts";

/** A person or an organization that made or publishes a dataset. */
export interface PublicationCreator {
  /** Name: of a person `Family, Given`, of an organization without a comma. */
  name: string;
  /** ORCID iD, such as `0000-0002-1825-0097`. @default {none} */
  orcid?: string | undefined;
  /** Institution of a person. @default {none} */
  affiliation?: string | undefined;
}

/** Facts of a publication in addition to those of its dataset. */
export interface PublicationFacts {
  readonly model: DatasetModel;
  readonly creators: readonly PublicationCreator[];
  readonly description: string;
  readonly version: string;
  /** Problems that the verification found. */
  readonly problems: readonly string[];
  /** Findings of the checks of plausibility, and their number. */
  readonly findings: readonly string[];
  /** Title and caption of the picture; `null` without one. */
  readonly picture: { readonly title: string; readonly caption: string } | null;
}

/** Licenses of data that repositories know by their SPDX identifiers. */
const KNOWN_LICENSES = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0"]
  .concat(["CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0"])
  .concat(["MIT", "Apache-2.0"]);

/** Returns the SPDX identifier of a dataset's license; `null` if it is not named or not known. */
export function findLicense({ manifest: { about } }: DatasetModel): string | null {
  const name = about?.license?.toLowerCase();
  return KNOWN_LICENSES.find((license) => license.toLowerCase() === name) ?? null;
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= 200 &&
  !/[\p{Cc}\p{Cf}]/u.test(value);

/** Rule for creators. */
export const CREATORS = defineRule<readonly PublicationCreator[]>(
  "a list of at least one {name, orcid, affiliation}, with valid ORCID iDs",
  (value) => Array.isArray(value) && value.length > 0 && value.every(isCreator),
);

function isCreator(value: unknown): boolean {
  const { name, orcid, affiliation, ...unknown } = Object(value);
  return isText(name) && (orcid === undefined || isOrcid(orcid)) &&
    (affiliation === undefined || isText(affiliation)) && Object.keys(unknown).length === 0;
}

/** Whether a text is an ORCID iD: 15 digits and their check character (ISO 7064, MOD 11-2). */
function isOrcid(value: unknown): boolean {
  if (typeof value !== "string" || !/^(?:\d{4}-){3}\d{3}[\dX]$/.test(value)) return false;
  const digits = value.replaceAll("-", "");
  const total = [...digits.slice(0, 15)].reduce((sum, digit) => (sum + Number(digit)) * 2, 0);
  const check = (12 - total % 11) % 11;
  return digits.at(-1) === (check === 10 ? "X" : String(check));
}

/** Rule for a description: lines of text. */
export const DESCRIPTION = defineRule<string>(
  "a text of at most 5,000 characters",
  (value) =>
    typeof value === "string" && value.trim() !== "" && value.length <= 5_000 &&
    !/[^\P{Cc}\n]|\p{Cf}/u.test(value),
);

/** Rule for a version. */
export const VERSION_TEXT = defineRule<string>(
  "a version of letters, digits, dots, - and +, such as 1.0",
  (value) => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value),
);

/** Formats a description of a dataset whose publisher gives none. */
export function formatDescription({ citation, span, tables }: DatasetModel): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const period = span === null ? "" : `, ${span.of} between ${span.from} and ${span.to}`;
  return `${citation.title}: auctions, solutions, orders and fills of the order book service of ` +
    `CoW Protocol, as the service sent them, and as ${tables.length} tables with ` +
    `${rows.toLocaleString("en-US")} rows${period}.`;
}

/** Formats what a publication's page has after the card. */
export function formatPage(facts: PublicationFacts): string {
  const { model, creators, description, version, problems, findings, picture } = facts;
  const lines = creators.map(({ name, orcid, affiliation }) =>
    `- ${escapeMarkdown(name)}${
      affiliation === undefined ? "" : `, ${escapeMarkdown(affiliation)}`
    }` +
    (orcid === undefined ? "" : `, ORCID <https://orcid.org/${orcid}>`)
  );
  const verified = problems.length === 0
    ? "Before it was published, every file had its hash, every table its rows, unique keys and references."
    : "It was published although its verification found problems:";
  const [pictureHeading, heading] = PUBLICATION_HEADINGS;
  return `
${
    picture === null
      ? ""
      : `${pictureHeading}\n\n![${escapeMarkdown(picture.title)}](${PICTURE})\n\n${
        escapeMarkdown(picture.caption)
      }\n\n`
  }${heading}

${escapeMarkdown(description)}

Version ${version} of the data with the SHA-256 ${model.citation.manifestSha256} of
\`manifest.json\`. What is missing stands under [Gaps](#gaps). \`CITATION.cff\` has the citation for
programs, \`LICENSE.txt\` the license.

${lines.join("\n")}

${[verified, ...problems.map((problem) => `- ${escapeMarkdown(problem)}`)].join("\n")}

\`orderlens check DIR\` looked for what may make results wrong: each finding is a reason to look,
and no proof of an error.

${findings.map((finding) => `- ${escapeMarkdown(finding)}`).join("\n")}

${RESPONSES_SECTION}`;
}

/** Tells readers of any language how to get at the responses. */
const RESPONSES_SECTION = `## Responses

A file of \`raw/\` has one JSON object per line and response: \`method\`, \`path\`, \`status\`, and the body
as it was sent in \`responseBody\`. It is packed with zstd, which the program \`zstd\`, Python 3.14 with
\`compression.zstd\` and the package \`zstandard\` unpack:

\`\`\`python
import glob, json, subprocess

for file in sorted(glob.glob("raw/*.ndjson.zst")):
    text = subprocess.run(["zstd", "-dc", file], capture_output=True, check=True).stdout
    for line in text.decode().splitlines():
        response = json.loads(line)
        if response["status"] == 200:
            body = json.loads(response["responseBody"])  # amounts are text: int() keeps every digit
\`\`\`
`;

/** Formats how the archives of a flat record become the dataset again. */
export const ARCHIVES_SECTION = `
## Files of this record

Each table is one archive, and \`raw.tar\` has the responses. Unpacked in one folder, they are the
dataset with the files that this page describes:

\`\`\`sh
for file in *.tar; do tar -xf "$file"; done
sha256sum -c SHA256SUMS
\`\`\`
`;

/** Name of the picture in a publication. */
export const PICTURE = "picture.png";

/** Escapes characters that Markdown or HTML would read. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#]/g, "\\$&").replaceAll("&", "&amp;");
}

/** Formats `LICENSE.txt`: the name of the license, and where it is, or that none is named. */
export function formatLicenseFile({ manifest: { about } }: DatasetModel, spdx: string | null) {
  if (about?.license === undefined) {
    return "The publisher names no license of these records, which are responses of an API.\n" +
      "The license of Orderlens does not cover them.\n";
  }
  const url = spdx === null ? "" : `https://spdx.org/licenses/${spdx}.html\n`;
  return `${about.license}, as the publisher of this edition says.\n${url}` +
    "The license of Orderlens does not cover these records.\n";
}

/** Formats `CITATION.cff`, version 1.2.0 of the Citation File Format. */
export function formatCff({ model, creators, description, version }: PublicationFacts): string {
  const { citation, manifest } = model;
  const license = findLicense(model);
  const lines = [
    "cff-version: 1.2.0",
    "message: If you use this dataset, cite it as below.",
    "type: dataset",
    `title: ${quote(citation.title)}`,
    `abstract: ${quote(description)}`,
    `version: ${quote(version)}`,
    ...license === null ? [] : [`license: ${license}`],
    "authors:",
    ...creators.flatMap(formatCffAuthor),
    "identifiers:",
    "  - type: other",
    `    value: ${quote(`sha256:${citation.manifestSha256}`)}`,
    "    description: SHA-256 of manifest.json, which has the SHA-256 of every file of records",
    "keywords:",
    ...listKeywords(model).map((keyword) => `  - ${quote(keyword)}`),
    "references:",
    "  - type: software",
    "    title: Orderlens",
    `    version: ${quote(manifest.library)}`,
    ...manifest.commit === undefined ? [] : [`    commit: ${manifest.commit}`],
    "    authors:",
    "      - name: Orderlens",
  ];
  return `${lines.join("\n")}\n`;
}

function formatCffAuthor({ name, orcid, affiliation }: PublicationCreator): string[] {
  const [family = "", ...names] = name.split(/,\s*/);
  const givenNames = names.join(", ");
  const fields = givenNames === ""
    ? [["name", name]]
    : [["family-names", family], ["given-names", givenNames]];
  if (affiliation !== undefined && fields.length === 2) fields.push(["affiliation", affiliation]);
  if (orcid !== undefined) fields.push(["orcid", `https://orcid.org/${orcid}`]);
  return fields.map(([key, value], index) =>
    `${index === 0 ? "  - " : "    "}${key}: ${quote(value!)}`
  );
}

/** A text as a double-quoted scalar of YAML, which reads what JSON writes. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function listKeywords({ network }: DatasetModel): string[] {
  return ["CoW Protocol", "batch auctions", "order book", network];
}

/** Builds `.zenodo.json`, the metadata of a deposit on Zenodo. */
export function buildZenodo({ model, creators, description, version }: PublicationFacts): object {
  const license = findLicense(model);
  const { text } = model.citation;
  const paragraphs = description.split(/\n+/).concat(text);
  return {
    title: model.citation.title,
    upload_type: "dataset",
    description: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join(""),
    notes: `<p>Gaps</p><ul>${
      formatGaps(model.manifest).map((line) => `<li>${escapeHtml(line)}</li>`).join("")
    }</ul>`,
    version,
    creators,
    access_right: "open",
    ...license === null ? {} : { license: license.toLowerCase() },
    language: "eng",
    keywords: listKeywords(model),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
