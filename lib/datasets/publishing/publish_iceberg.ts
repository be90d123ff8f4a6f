import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { DatasetPaths } from "../layout/files.ts";
import { requireNothingAt } from "../layout/folders.ts";
import { readManifest } from "../layout/manifest.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { MessageProcess, preparePython } from "../python/prepare_python.ts";

/** Options of {@linkcode publishIceberg}. */
export interface PublishOptions {
  /** Folder that pyiceberg is installed into. @default {`iceberg` in the user's cache folder} */
  readonly cacheFolder?: string | undefined;
  /**
   * URI of the folder in which the folders of the dataset and of the catalogue will be, under the names
   * that they have, such as `s3://bucket/data`. The metadata have no other paths, and both folders can be
   * copied there. @default {where they are now, so that neither may move}
   */
  readonly location?: string | undefined;
  /** Called with what is being done, in a few words. */
  readonly onStep?: ((text: string) => void) | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Name of the catalogue, by which pyiceberg opens it, and of the namespace of its tables. */
export const ICEBERG_CATALOGUE = "orderlens";

/**
 * Registers the Parquet files of a dataset in an Iceberg catalogue, as they lie: Trino, Snowflake,
 * Spark and pyiceberg read its tables from there. The catalogue is a folder with `catalog.db` (SQLite)
 * and metadata that name the files by their URIs: those of this machine, or below `location`. The first
 * call installs pyiceberg into the user's cache folder; it needs Python 3.11 or newer.
 *
 * @param dataset Folder of the dataset.
 * @param into A new folder for the catalogue, which is called `orderlens`, as the namespace of its tables.
 * @returns Rows by table, as counted by way of the catalogue.
 * @throws {InputError} If something is at `into`, `location` is no URI, or pyiceberg cannot be installed
 * or fails.
 */
export async function publishIceberg(
  dataset: string | URL,
  into: string,
  options: PublishOptions = {},
): Promise<Record<string, number>> {
  const found = await findDataset(dataset);
  const { files } = await readManifest(found);
  const { realpath } = process.getBuiltinModule("node:fs/promises");
  const paths = new DatasetPaths(await realpath(found.folder));
  const { resolve } = process.getBuiltinModule("node:path");
  const folder = resolve(into);
  const places = locate([folder, paths.folder], options.location);
  await requireNothingAt(into, "Cannot publish into");
  const text = (name: string) => localFiles().readFile(new URL(name, import.meta.url), "utf8");
  const { python } = await preparePython({
    name: "iceberg",
    what: "pyiceberg",
    size: "about 300 MB",
    needsJava: false,
    requirements: await text("./requirements.txt"),
    buildRequirements: "",
  }, options);
  const program = new MessageProcess({
    program: python,
    args: ["-c", await text("./publish_iceberg.py")],
  });
  const rows: Record<string, number> = {};
  let isDone = false;
  try {
    const tables = Map.groupBy(
      files.filter(({ path }) => path.endsWith(".parquet")),
      ({ path }) => path.split("/")[0]!,
    );
    await program.send({
      kind: "publish",
      folder,
      dataset: paths.folder,
      location: places[0],
      datasetLocation: places[1],
      catalogue: ICEBERG_CATALOGUE,
      namespace: ICEBERG_CATALOGUE,
      tables: Object.fromEntries(
        [...tables].map(([name, own]) => [name, own.map(({ path }) => path)]),
      ),
    });
    for (let one = await program.receive(); one !== null; one = await program.receive()) {
      if (one.kind === "table") rows[String(one.name)] = Number(one.rows);
      isDone ||= one.kind === "done";
    }
  } finally {
    await program.end();
  }
  if (isDone) return rows;
  throw new InputError(`Cannot publish ${found.folder} as Iceberg tables`, {
    facts: { reason: program.lastLines.at(-1) ?? "pyiceberg said nothing" },
    remedy: `Remove ${into}, check that the dataset is whole (orderlens verify), and try again`,
  });
}

/** The URIs of folders: those of their paths, or of their names below a location. */
function locate(folders: readonly string[], location: string | undefined): readonly string[] {
  if (location === undefined) return folders.map((folder) => `file://${folder}`);
  const action = `Cannot publish at ${location}`;
  if (!/^[a-z][a-z0-9+.-]+:\/\/./i.test(location)) {
    throw new InputError(`${action}: it is no URI`, {
      remedy: "Pass the URI of the folder that both folders will be in, such as s3://bucket/data",
    });
  }
  const { basename } = process.getBuiltinModule("node:path");
  const names = folders.map((folder) => basename(folder));
  if (new Set(names).size < names.length) {
    throw new InputError(`${action}: both folders are called ${names[0]}`, {
      remedy: "Pass a folder of another name for the catalogue",
    });
  }
  return names.map((name) => `${location.replace(/\/+$/, "")}/${name}`);
}
