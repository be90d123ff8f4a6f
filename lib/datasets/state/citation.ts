import { sha256 } from "../layout/file_hash.ts";
import { type DatasetManifest, printManifest } from "../layout/manifest.ts";
import { datasetTitle } from "./dataset_title.ts";
import type { TimeSpan } from "./time_span.ts";

const VERSION_DIGITS = 12;

/** How a dataset is cited. */
export interface DatasetCitation {
  /** Its title. */
  readonly title: string;
  /** Who publishes this edition, if anybody is named, and who made the records. */
  readonly creator: string;
  /** Its version: the first digits of the SHA-256 of its manifest, which stands for every byte. */
  readonly version: string;
  /** SHA-256 of its manifest. */
  readonly manifestSha256: string;
  /** One sentence. */
  readonly text: string;
  /** An entry of BibTeX. */
  readonly bibtex: string;
}

/** Who answered, and so made the records. */
export const CREATOR = "Order book service of CoW Protocol";

/** The version of a dataset: the first digits of the SHA-256 of its manifest. */
export function versionOf(manifestSha256: string): string {
  return manifestSha256.slice(0, VERSION_DIGITS);
}

/** How to cite a dataset: no identifier is registered, so its content is. */
export function citationOf(manifest: DatasetManifest, span: TimeSpan | null): DatasetCitation {
  const manifestSha256 = sha256(printManifest(manifest));
  const version = versionOf(manifestSha256);
  const title = datasetTitle(manifest);
  const year = span?.to.slice(0, 4) ?? null;
  const { source, library, about } = manifest;
  const creators = [...about?.creator === undefined ? [] : [about.creator], CREATOR];
  const chain = source.network === null ? " of a network without a name" : "";
  const place =
    `chain id ${source.chainId}${chain}, settlement contract ${source.settlementContract}`;
  const text =
    `${creators.join(", ")} (${year ?? "no date"}). ${title} [data set], version ${version}. ` +
    `Exported with Orderlens ${library}; ${place}; SHA-256 of manifest.json ${manifestSha256}.`;
  const fields = [
    ["title", `{${title}}`],
    ["author", creators.map((creator) => `{${creator}}`).join(" and ")],
    ...year === null ? [] : [["year", year]],
    ["version", version],
    ["howpublished", `Data set, exported with Orderlens ${library}`],
    ["note", `${place}, SHA-256 of manifest.json ${manifestSha256}`],
  ];
  const lines = fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("");
  const bibtex = `@misc{orderlens-${version},\n${lines}}`;
  return { title, creator: creators.join(", "), version, manifestSha256, text, bibtex };
}
