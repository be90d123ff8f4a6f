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
  /** Files of the chain's records; absent when none lies there. */
  readonly chains?: readonly (string | URL)[];
}

const exchangesExtension = /\.ndjson(\.gz|\.zst)?$/;
const factsExtension = /(^|\.)deployment\.json$/;
const chainExtension = /(^|\.)chain\.json(\.gz)?$/;

/**
 * Finds a shipped recording by its name, otherwise a recording by its path.
 *
 * @throws {InputError} If nothing is found, or a folder contains no exchanges.
 */
export async function findRecording(nameOrPath: string | URL): Promise<RecordingFiles> {
  if (typeof nameOrPath === "string") {
    const shipped = shippedRecording(nameOrPath);
    if (shipped !== undefined) {
      const { file, chain, ...facts } = shipped;
      const chains = chain === undefined ? {} : { chains: [chain] };
      return { name: nameOrPath, files: [file], ...facts, ...chains };
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
  const name = withoutExtension(baseName(file));
  const facts = siblingOf(file, `${name}.deployment.json`);
  const chains: (string | URL)[] = [];
  for (const ending of ["chain.json", "chain.json.gz"]) {
    const chain = siblingOf(file, `${name}.${ending}`);
    if (chains.length === 0 && await statOf(chain) !== undefined) chains.push(chain);
  }
  return {
    name,
    files: [file],
    ...(await statOf(facts) === undefined ? {} : { facts }),
    ...(chains.length === 0 ? {} : { chains }),
  };
}

async function folderRecording(folder: string | URL): Promise<RecordingFiles> {
  const fileNames = await filesOf(folder);
  const files = [...fileNames, ...await rawFilesOf(folder)]
    .filter((name) => exchangesExtension.test(name));
  if (files.length === 0) {
    throw new InputError(`Cannot replay the folder ${folder}: it contains no recording`, {
      facts: { files: fileNames.length === 0 ? "none" : fileNames.join(", ") },
      remedy: "Pass a dataset, or a folder with .ndjson or .ndjson.gz files of one deployment",
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
  const chains = fileNames.filter((name) => chainExtension.test(name));
  return {
    name: baseName(folder),
    files: files.map((name) => joinPath(folder, name)),
    ...(first === undefined ? {} : { facts: joinPath(folder, first) }),
    ...(chains.length === 0 ? {} : { chains: chains.map((name) => joinPath(folder, name)) }),
  };
}

async function filesOf(folder: string | URL): Promise<string[]> {
  const entries = await localFiles().readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name).sort();
}

/** The files of a dataset's answers, which has them in a folder of their own. */
async function rawFilesOf(folder: string | URL): Promise<string[]> {
  if (await statOf(joinPath(folder, "manifest.json")) === undefined) return [];
  const raw = joinPath(folder, "raw");
  if (await statOf(raw) === undefined) return [];
  return (await filesOf(raw)).map((name) => `raw/${name}`);
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
