import { basename, dirname, join, resolve } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

/** Place of the pages of notebooks. */
export interface PageTarget {
  /** Absolute path of their folder. */
  readonly folder: string;
  /** Name of the only page; `null` where each notebook has one, and an index leads to them. */
  readonly alone: string | null;
}

/**
 * Resolves where the pages of notebooks go, and checks that they can be written there, before anything
 * is executed.
 *
 * @param path Path of an HTML file for one notebook, or of a folder, which is created.
 * @throws {TaskError} If a page is there already or cannot be written, or one file is to hold several.
 */
export async function claimPages(
  path: string,
  sources: readonly string[],
  { isOverwriting }: { readonly isOverwriting: boolean },
): Promise<PageTarget> {
  const isFile = /\.html?$/i.test(path);
  if (isFile && sources.length > 1) {
    throw new TaskError(`${path} is one file for ${sources.length} notebooks`, {
      fix: "pass a folder as --html, or name one notebook",
    });
  }
  const folder = isFile ? dirname(resolve(path)) : resolve(path);
  const pages = isFile ? [basename(path)] : [
    "index.html",
    "charts.html",
    ...sources.map((source) => `${basename(source, ".ipynb")}.html`),
  ];
  const twin = pages.find((page, index) => pages.indexOf(page) < index);
  if (twin !== undefined) {
    throw new TaskError(`Two pages would be called ${twin}`, {
      fix: "rename a notebook, or write it to a file of its own",
    });
  }
  if (!isFile) await explainFailure(path, () => Deno.mkdir(folder, { recursive: true }));
  for (const page of pages) {
    const stat = await explainFailure(path, () => statOrNull(join(folder, page)));
    const shown = isFile ? path : join(path, page);
    if (stat?.isDirectory === true) {
      throw new TaskError(`${shown} is a folder`, { fix: "pass the name of a file" });
    }
    if (stat !== null && !isOverwriting) {
      throw new TaskError(`${shown} already exists`, {
        fix: "pass another name, or --overwrite to replace it",
      });
    }
  }
  const probe = join(folder, `${pages.at(-1)}.${Deno.pid}.unfinished`);
  await explainFailure(path, () => Deno.writeTextFile(probe, "", { createNew: true }));
  await Deno.remove(probe);
  return { folder, alone: isFile ? basename(path) : null };
}

async function statOrNull(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Does something at a path of the user, and explains a failure by it. */
async function explainFailure<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/ \(os error.*/s, "") : cause;
    throw new TaskError(`Cannot write ${path} (${reason})`, {
      fix: "pass a path in a folder that exists and can be written",
      cause,
    });
  }
}
