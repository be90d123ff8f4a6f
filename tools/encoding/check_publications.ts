import { join } from "node:path";
import { validatePublication } from "../../lib/cli/actions/validate_publication.ts";
import { publishDataset } from "../../lib/datasets/mod.ts";
import { SHIPPED_FOLDER } from "../datasets/write_shipped.ts";
import { report } from "../terminal/say.ts";
import { TaskError } from "../terminal/task_error.ts";

/** Damages that one tool each must find: a file, a text in it, and the text instead. */
const DAMAGES = [
  ["datasets", "README.md", '"trades/*.parquet"', '"fees/*.parquet"'],
  [
    "mlcroissant",
    "croissant.json",
    '"extract":{"column":"auction_id"}',
    '"extract":{"column":"no"}',
  ],
  ["frictionless", "datapackage.json", '"name": "auction_id",\n      "type": "integer"', ""],
] as const;

/**
 * Publishes the dataset that ships for each repository, and validates it with the tools of Python; then
 * damages what each tool reads, and checks that it says so.
 *
 * @throws {TaskError} If a tool rejects a publication, or accepts a damaged one.
 */
export async function checkPublications(python: string, folder: string): Promise<void> {
  for (const target of ["huggingface", "zenodo"] as const) {
    await publishDataset(join(SHIPPED_FOLDER, "market_1"), join(folder, target), {
      target,
      validate: async (made) => {
        for (const { tool, version, checked } of await validatePublication(python, made, target)) {
          report(`ok      ${target}, ${tool} ${version}: ${checked} tables`);
        }
      },
    });
  }
  const publication = join(folder, "huggingface");
  for (const [, name, before, after] of DAMAGES) {
    const file = join(publication, name);
    const text = await Deno.readTextFile(file);
    if (!text.includes(before)) throw new TaskError(`${name} has no ${before}`);
    await Deno.writeTextFile(
      file,
      text.replace(before, after || before.replace("integer", "boolean")),
    );
  }
  const reason = await validatePublication(python, publication, "huggingface")
    .then(() => "", (error: Error) => error.message);
  for (const [tool] of DAMAGES) {
    if (!reason.includes(`${tool}: `)) {
      throw new TaskError(`${tool} accepts a damaged publication`, { fix: reason });
    }
    report(`ok      ${tool} rejects a damaged publication`);
  }
}
