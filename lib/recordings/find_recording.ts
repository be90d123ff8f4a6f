import { InputError } from "../errors/mod.ts";
import { isMissing, localFiles } from "../http/reading/local_files.ts";
import { shippedRecording, shippedRecordings } from "./shipped_recordings.ts";

/** The files of one recording. */
export interface RecordingFiles {
  /** Name of the recording: that of the file or folder, without extensions. */
  readonly name: string;
  /** Files of exchanges, in reading sequence. */
  readonly files: readonly (string | URL)[];
  /** Deployment file; absent if there is none. */
  readonly facts?: string | URL;
}

const exchangesExtension = /\.ndjson(\.gz)?$/;
const factsExtension = /(^|\.)deployment\.json$/;

/**
 * Finds a shipped recording by its name, otherwise a recording by its path.
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
  return found.isDirectory() ? await folderRecording(nameOrPath) : await fileRecording(nameOrPath);
}

async function fileRecording(file: string | URL): Promise<RecordingFiles> {
  const facts = siblingOf(file, `${withoutExtension(baseName(file))}.deployment.json`);
  const name = withoutExtension(baseName(file));
  return await statOf(facts) === undefined
    ? { name, files: [file] }
    : { name, files: [file], facts };
}

async function folderRecording(folder: string | URL): Promise<RecordingFiles> {
  const fileNames = await filesOf(folder);
  const files = fileNames.filter((name) => exchangesExtension.test(name));
  if (files.length === 0) {
    throw new InputError(`Cannot replay the folder ${folder}: it contains no recording`, {
      facts: { files: fileNames.length === 0 ? "none" : fileNames.join(", ") },
      remedy: "Pass a folder with .ndjson or .ndjson.gz files of one deployment",
    });
  }
  const facts = fileNames.filter((name) => factsExtension.test(name));
  if (facts.length > 1) {
    throw new InputError(`Cannot replay the folder ${folder}: it contains several deployments`, {
      facts: { files: facts.join(", ") },
      remedy: "Keep one deployment per folder, or pass one of the files",
    });
  }
  const [first] = facts;
  return {
    name: baseName(folder),
    files: files.map((name) => joinPath(folder, name)),
    ...(first === undefined ? {} : { facts: joinPath(folder, first) }),
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

/** A file in a folder: a path for a path, a URL for a URL. */
export function joinPath(folder: string | URL, name: string): string | URL {
  if (typeof folder === "string") return `${folder.replace(/[/\\]+$/, "")}/${name}`;
  return new URL(name, folder.href.endsWith("/") ? folder : `${folder.href}/`);
}

function siblingOf(file: string | URL, name: string): string | URL {
  if (typeof file !== "string") return new URL(name, file);
  return file.slice(0, file.length - baseName(file).length) + name;
}

function baseName(path: string | URL): string {
  const text = typeof path === "string" ? path : decodeURIComponent(path.pathname);
  return text.replace(/[/\\]+$/, "").split(/[/\\]/).at(-1) ?? text;
}

function withoutExtension(fileName: string): string {
  return fileName.replace(exchangesExtension, "");
}
