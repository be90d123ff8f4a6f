import { InputError } from "../errors/mod.ts";
import { isMissing, localFiles } from "../http/reading/local_files.ts";
import { shippedRecording, shippedRecordings } from "./shipped_recordings.ts";

/** Where the parts of one recording are. */
export interface RecordingFiles {
  /** Name of the recording: of the file or folder, without its endings. */
  readonly name: string;
  /** Files of exchanges in the order they are read. */
  readonly files: readonly (string | URL)[];
  /** File with facts of the deployment; absent when none lies there. */
  readonly facts?: string | URL;
}

const exchangesEnding = /\.ndjson(\.gz)?$/;
const factsEnding = /(^|\.)deployment\.json$/;

/**
 * Finds a recording by the name it ships under, else by path.
 *
 * @throws {InputError} If nothing is found, or a folder contains no exchanges.
 */
export async function findRecording(nameOrPath: string | URL): Promise<RecordingFiles> {
  if (typeof nameOrPath === "string") {
    const shipped = shippedRecording(nameOrPath);
    if (shipped !== undefined) {
      const { file, ...facts } = shipped;
      return { name: nameOrPath, files: [file], ...facts };
    }
  }
  const found = await statOf(nameOrPath);
  if (found === undefined) {
    throw new InputError(`Cannot find the recording "${nameOrPath}"`, {
      facts: { shipped: (await shippedRecordings()).join(", ") },
      remedy: "Pass the name of a shipped recording, or the path of an existing file or folder",
    });
  }
  return found.isDirectory() ? await wholeFolder(nameOrPath) : await oneFile(nameOrPath);
}

async function oneFile(file: string | URL): Promise<RecordingFiles> {
  const facts = beside(file, `${nameOf(lastOf(file))}.deployment.json`);
  const name = nameOf(lastOf(file));
  return await statOf(facts) === undefined
    ? { name, files: [file] }
    : { name, files: [file], facts };
}

async function wholeFolder(folder: string | URL): Promise<RecordingFiles> {
  const inside = await filesOf(folder);
  const files = inside.filter((name) => exchangesEnding.test(name));
  if (files.length === 0) {
    throw new InputError(`Cannot replay the folder ${folder}: it contains no recording`, {
      facts: { files: inside.length === 0 ? "none" : inside.join(", ") },
      remedy: "Pass a folder with .ndjson or .ndjson.gz files of one deployment",
    });
  }
  const facts = inside.filter((name) => factsEnding.test(name));
  if (facts.length > 1) {
    throw new InputError(`Cannot replay the folder ${folder}: it contains several deployments`, {
      facts: { files: facts.join(", ") },
      remedy: "Keep one deployment per folder, or pass one of the files",
    });
  }
  const [first] = facts;
  return {
    name: lastOf(folder),
    files: files.map((name) => within(folder, name)),
    ...(first === undefined ? {} : { facts: within(folder, first) }),
  };
}

async function filesOf(folder: string | URL): Promise<string[]> {
  const entries = await localFiles().readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name).sort();
}

async function statOf(path: string | URL): Promise<{ isDirectory(): boolean } | undefined> {
  try {
    return await localFiles().stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A file inside a folder; both stay what they were, a path or a URL. */
export function within(folder: string | URL, name: string): string | URL {
  if (typeof folder === "string") return `${folder.replace(/[/\\]+$/, "")}/${name}`;
  return new URL(name, folder.href.endsWith("/") ? folder : `${folder.href}/`);
}

function beside(file: string | URL, name: string): string | URL {
  if (typeof file !== "string") return new URL(name, file);
  return file.slice(0, file.length - lastOf(file).length) + name;
}

function lastOf(path: string | URL): string {
  const text = typeof path === "string" ? path : decodeURIComponent(path.pathname);
  return text.replace(/[/\\]+$/, "").split(/[/\\]/).at(-1) ?? text;
}

function nameOf(fileName: string): string {
  return fileName.replace(exchangesEnding, "");
}
