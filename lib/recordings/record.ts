import { InputError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { isMissing, isTaken, localFiles } from "../http/local_files.ts";
import type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
import { type Deployment, isDeployment, readFacts } from "./deployment.ts";
import { type Answer, exchangeOf, printExchange } from "./request_key.ts";
import { shippedRecording, shippedRecordings } from "./shipped_recordings.ts";

/** Options of {@linkcode record}. */
export interface RecordOptions {
  /** The recorded deployment. @default {the transport's deployment, if it has one} */
  readonly deployment?: Deployment;
}

const OPTIONS: OptionRules<RecordOptions> = {
  deployment: defineRule("facts of a deployment", isDeployment),
};

/** A transport that records what it sends and receives. */
export interface Recorder extends Transport {
  /** Folder the exchanges are written to. */
  readonly folder: string | URL;
  /** The recorded deployment; `null` if it is unknown. */
  readonly deployment: Deployment | null;
}

const factsFile = "deployment.json";

/**
 * Wraps a transport so that each exchange is appended to a file in a folder, from which
 * `replay(folder)` answers.
 *
 * Each recorder adds a new file `exchanges-0001.ndjson`, `exchanges-0002.ndjson` and so on, one
 * exchange per line, in the order of the responses. Existing files are never changed, and a
 * response is passed on only after its line is in the file. A line contains method, path, both
 * bodies, status and content type: no headers and no URL, since these may contain keys, and
 * `[hidden]` if a path or a body repeats a transport's key. A request that fails without a response
 * is not recorded, and its error passes through. A streamed response is recorded once it has been
 * read to its end.
 *
 * @param transport Transport to record.
 * @param folder Folder of one deployment; created with the first exchange if it does not exist.
 * @throws {InputError} From `send`, if the folder contains another deployment or cannot be written.
 * @example A recording answers what was recorded
 * ```ts
 * import { record, replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const recorder = record(await replay("market_1"), folder);
 * const version = await recorder.send({ method: "GET", path: "/api/v1/version" });
 *
 * const again = await (await replay(folder)).send({ method: "GET", path: "/api/v1/version" });
 * assertEquals(again.body, version.body);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function record(
  transport: Transport,
  folder: string | URL,
  options: RecordOptions = {},
): Recorder {
  checkOptions(options, OPTIONS, "Cannot record");
  return new FolderRecorder(transport, folder, options.deployment ?? deploymentOf(transport));
}

class FolderRecorder implements Recorder {
  readonly folder: string | URL;
  readonly deployment: Deployment | null;
  readonly stream?: (request: HttpRequest) => Promise<HttpStream>;
  readonly #transport: Transport;
  #file: Promise<string | URL> | undefined;
  /** Resolves once all lines so far are in the file, so that lines never interleave. */
  #written: Promise<void> = Promise.resolve();

  constructor(transport: Transport, folder: string | URL, deployment: Deployment | null) {
    this.#transport = transport;
    this.folder = folder;
    this.deployment = deployment;
    if (transport.stream !== undefined) this.stream = (request) => this.#stream(request);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    await this.#ready(request);
    const response = await this.#transport.send(request);
    await this.#write(request, { ...response, responseBody: response.body });
    return response;
  }

  async #stream(request: HttpRequest): Promise<HttpStream> {
    await this.#ready(request);
    const response = await this.#transport.stream?.(request);
    if (response === undefined) throw new TypeError("The transport no longer has `stream`");
    const { status, contentType, chunks } = response;
    const write = (responseBody: string) =>
      this.#write(request, { status, contentType, responseBody });
    return { status, contentType, chunks: recordedAtEnd(chunks, write) };
  }

  /** Opens the file; fails permanently after a line could not be written. */
  async #ready(request: HttpRequest): Promise<void> {
    request.signal?.throwIfAborted();
    await (this.#file ??= this.#open());
    await this.#written;
  }

  async #write(request: HttpRequest, answer: Answer): Promise<void> {
    const line = printExchange(exchangeOf(request, answer));
    this.#written = this.#written.then(() => this.#append(line));
    await this.#written;
  }

  async #append(line: string): Promise<void> {
    try {
      await localFiles().writeFile(await (this.#file ??= this.#open()), line, { flag: "a" });
    } catch (cause) {
      throw notWritable(this.folder, cause);
    }
  }

  async #open(): Promise<string | URL> {
    try {
      await localFiles().mkdir(this.folder, { recursive: true });
      if (this.deployment !== null) await this.#writeFacts(this.deployment);
      return await newFile(this.folder);
    } catch (cause) {
      throw cause instanceof InputError ? cause : notWritable(this.folder, cause);
    }
  }

  async #writeFacts(deployment: Deployment): Promise<void> {
    const file = joinPath(this.folder, factsFile);
    try {
      await localFiles().writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`, {
        flag: "wx",
      });
    } catch (error) {
      if (!isTaken(error)) throw error;
      const { deployment: existing } = await readFacts(file);
      if (describe(existing) === describe(deployment)) return;
      throw new InputError(`Cannot record into ${this.folder}: it contains another deployment`, {
        facts: { existing: describe(existing), new: describe(deployment) },
        remedy: "Use one folder for each deployment",
      });
    }
  }
}

async function* recordedAtEnd(
  chunks: AsyncIterable<string>,
  write: (body: string) => Promise<void>,
): AsyncGenerator<string> {
  let body = "";
  for await (const chunk of chunks) {
    body += chunk;
    yield chunk;
  }
  await write(body);
}

async function newFile(folder: string | URL): Promise<string | URL> {
  for (let number = 1;; number++) {
    const file = joinPath(folder, `exchanges-${String(number).padStart(4, "0")}.ndjson`);
    try {
      await localFiles().writeFile(file, "", { flag: "wx" });
      return file;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

function deploymentOf(transport: Transport): Deployment | null {
  return "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : null;
}

function describe({ chainId, settlementContract }: Deployment): string {
  return `chain ${chainId}, ${settlementContract.toLowerCase()}`;
}

function notWritable(folder: string | URL, cause: unknown): InputError {
  return new InputError(`Cannot write the recording in ${folder}`, {
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    remedy: "Grant write permission for the folder or pass another one, and create a new recorder",
    cause,
  });
}

/** The files of one recording. */
interface RecordingFiles {
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
function joinPath(folder: string | URL, name: string): string | URL {
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
