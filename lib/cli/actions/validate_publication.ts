import { InputError } from "../../errors/mod.ts";
import type { PublicationTarget } from "../../datasets/mod.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import { runProgram } from "./run_tool.ts";

/** Packages of Python whose tools validate a publication. */
const PACKAGES = "datasets mlcroissant 'frictionless[parquet]'";

/**
 * Program of Python that validates a publication: it unpacks archives, loads every configuration of the
 * card with `datasets` and compares its rows with the manifest, reads a record of every table by
 * `croissant.json` with `mlcroissant`, and validates `datapackage.json` with `frictionless`. Prints a
 * line of JSON: the missing modules, or the version and the problems of each tool.
 */
const PROGRAM = `
import contextlib, glob, importlib.util, json, os, shutil, sys, tarfile, tempfile
folder = sys.argv[1]
modules = ["datasets", "mlcroissant", "frictionless", "pyarrow"]
missing = [name for name in modules if importlib.util.find_spec(name) is None]
if missing or folder == "":
    print(json.dumps({"missing": missing}))
    sys.exit()
os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
from importlib.metadata import version
results = []
def check(tool):
    result = {"tool": tool, "version": version(tool), "checked": 0, "problems": []}
    results.append(result)
    return result
@contextlib.contextmanager
def reporting(result, part):
    try:
        yield
    except Exception as error:
        result["problems"].append(f"{part}: {type(error).__name__}: {error}")
with tempfile.TemporaryDirectory() as temporary, contextlib.redirect_stdout(sys.stderr):
    os.environ["HF_HOME"] = temporary
    archives = glob.glob(os.path.join(glob.escape(folder), "*.tar"))
    if archives:
        unpacked = os.path.join(temporary, "dataset")
        shutil.copytree(folder, unpacked, ignore=shutil.ignore_patterns("*.tar"))
        for archive in archives:
            with tarfile.open(archive) as file:
                if hasattr(tarfile, "data_filter"):
                    file.extractall(unpacked, filter="data")
                else:
                    file.extractall(unpacked)
        folder = unpacked
    folder = os.path.abspath(folder)
    os.chdir(folder)
    with open("manifest.json") as file:
        manifest = json.load(file)
    rows = {}
    for file in manifest["files"]:
        table, _, name = file["path"].partition("/")
        if name.endswith(".parquet") and file["rows"] > 0:
            rows[table] = rows.get(table, 0) + file["rows"]

    import datasets
    datasets.disable_progress_bars()
    result = check("datasets")
    with reporting(result, "README.md"):
        names = datasets.get_dataset_config_names(folder) if rows else []
        if sorted(names) != sorted(rows):
            result["problems"].append(f"README.md: configurations {names}, tables with rows {sorted(rows)}")
        for name in names:
            with reporting(result, name):
                loaded = datasets.load_dataset(folder, name, split="train", cache_dir=temporary)
                result["checked"] += 1
                if loaded.num_rows != rows.get(name):
                    result["problems"].append(f"{name}: {loaded.num_rows} rows instead of {rows.get(name)}")

    import mlcroissant
    result = check("mlcroissant")
    with reporting(result, "croissant.json"):
        described = mlcroissant.Dataset(jsonld="croissant.json")
        for record_set in described.metadata.record_sets:
            name = record_set.id.removesuffix("_rows")
            with reporting(result, name):
                first = next(iter(described.records(record_set.id)), None)
                result["checked"] += 1
                if (first is not None) != (name in rows):
                    result["problems"].append(f"{name}: its records are not those of the table")

    import frictionless
    result = check("frictionless")
    with reporting(result, "datapackage.json"):
        report = frictionless.Package("datapackage.json").validate()
        result["checked"] = len(report.tasks)
        for name, errors in [("datapackage.json", report.errors)] + [(task.name, task.errors) for task in report.tasks]:
            result["problems"] += [f"{name}: {error.message}" for error in errors[:3]]
print(json.dumps({"missing": [], "results": results}))
`;

/** Result of one tool. */
export interface ToolResult {
  /** Name of the tool. */
  readonly tool: string;
  /** Its version. */
  readonly version: string;
  /** Number of tables that it read. */
  readonly checked: number;
  /** Its problems. */
  readonly problems: readonly string[];
}

/**
 * Rejects a Python without the tools that validate a publication, before anything is written.
 *
 * @throws {InputError} Names what is missing, and the line that installs it.
 */
export async function requireTools(python: string): Promise<void> {
  await runPython(python, "");
}

/**
 * Validates a publication with the tools of Python.
 *
 * @throws {InputError} If it is not valid, with the first problems of each tool.
 */
export async function validatePublication(
  python: string,
  folder: string,
  target: PublicationTarget,
): Promise<ToolResult[]> {
  const results = await runPython(python, folder);
  const problems = results.flatMap(({ tool, problems }) =>
    problems.slice(0, 3).map((problem) => `${tool}: ${problem}`)
  );
  if (problems.length === 0) return results;
  throw new InputError(`Cannot publish for ${target}: its tools reject the dataset`, {
    facts: { problems: problems.join("; ") },
    remedy: "Rebuild the dataset with this version of Orderlens, and report what remains",
  });
}

async function runPython(python: string, folder: string): Promise<ToolResult[]> {
  const ended = await runProgram(python, ["-c", PROGRAM, folder]);
  if (ended === null) {
    throw new InputError(`Cannot validate a publication: ${python} is not a program`, {
      remedy: `Install Python 3.10 or newer and ${PACKAGES}, pass --python, or pass --no-validate`,
    });
  }
  const lastLine = ended.stdout.trim().split("\n").at(-1);
  const { missing = null, results = [] } = Object(tryParseJson(lastLine));
  if (missing === null) {
    throw new InputError("Cannot validate a publication: Python failed", {
      facts: { exit: ended.code, says: ended.stderr.trim().split("\n").at(-1) ?? "" },
      remedy: "Install its packages again, pass another --python, or pass --no-validate",
    });
  }
  if (missing.length > 0) {
    throw new InputError(`Cannot validate a publication: ${python} lacks ${missing.join(", ")}`, {
      remedy: `Run ${python} -m pip install ${PACKAGES}, or pass --no-validate`,
    });
  }
  return results;
}
