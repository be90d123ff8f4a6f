import { InputError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { isTaken, localFiles, statPath } from "../http/local_files.ts";
import type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
import { type Deployment, isDeployment, readFacts } from "./deployment.ts";
import { printExchange, type RecordedResponse, toExchange } from "./request_key.ts";
import {
  findShippedRecording,
  type RecordingFiles,
  shippedRecordings,
} from "./shipped_recordings.ts";

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
 * @example Replays a recorded response
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
  return new FolderRecorder(transport, folder, options.deployment ?? getDeployment(transport));
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

  countRequestsLeft(): number {
    return this.#transport.countRequestsLeft?.() ?? Infinity;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    await this.#prepare(request);
    const response = await this.#transport.send(request);
    await this.#write(request, { ...response, responseBody: response.body });
    return response;
  }

  async #stream(request: HttpRequest): Promise<HttpStream> {
    await this.#prepare(request);
    const response = await this.#transport.stream?.(request);
    if (response === undefined) throw new TypeError("The transport no longer has `stream`");
    const { status, contentType, chunks } = response;
    const write = (responseBody: string) =>
      this.#write(request, { status, contentType, responseBody });
    return { status, contentType, chunks: recordAtEnd(chunks, write) };
  }

  /** Opens the file; fails permanently after a line could not be written. */
  async #prepare(request: HttpRequest): Promise<void> {
    request.signal?.throwIfAborted();
    await (this.#file ??= this.#open());
    await this.#written;
  }

  async #write(request: HttpRequest, response: RecordedResponse): Promise<void> {
    const line = printExchange(toExchange(request, response));
    this.#written = this.#written.then(() => this.#append(line));
    await this.#written;
  }

  async #append(line: string): Promise<void> {
    try {
      await localFiles().writeFile(await (this.#file ??= this.#open()), line, { flag: "a" });
    } catch (cause) {
      throw toWriteError(this.folder, cause);
    }
  }

  async #open(): Promise<string | URL> {
    try {
      await localFiles().mkdir(this.folder, { recursive: true });
      if (this.deployment !== null) await this.#writeFacts(this.deployment);
      return await createFile(this.folder);
    } catch (cause) {
      throw cause instanceof InputError ? cause : toWriteError(this.folder, cause);
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
      if (formatDeployment(existing) === formatDeployment(deployment)) return;
      throw new InputError(`Cannot record into ${this.folder}: it contains another deployment`, {
        facts: { existing: formatDeployment(existing), new: formatDeployment(deployment) },
        remedy: "Use one folder for each deployment",
      });
    }
  }
}

async function* recordAtEnd(
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

async function createFile(folder: string | URL): Promise<string | URL> {
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

function getDeployment(transport: Transport): Deployment | null {
  return "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : null;
}

function formatDeployment({ chainId, settlementContract }: Deployment): string {
  return `chain ${chainId}, ${settlementContract.toLowerCase()}`;
}

function toWriteError(folder: string | URL, cause: unknown): InputError {
  return new InputError(`Cannot write the recording in ${folder}`, {
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    remedy: "Grant write permission for the folder or pass another one, and create a new recorder",
    cause,
  });
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
  const shipped = typeof nameOrPath === "string" ? findShippedRecording(nameOrPath) : undefined;
  if (shipped !== undefined) return shipped;
  const stats = await statPath(nameOrPath);
  if (stats === null) {
    throw new InputError(`Cannot find the recording "${nameOrPath}"`, {
      facts: { shipped: (await shippedRecordings()).join(", ") },
      remedy: "Pass the name of a shipped recording, or the path of an existing file or folder",
    });
  }
  return stats.isDirectory()
    ? await findFolderRecording(nameOrPath)
    : await findFileRecording(nameOrPath);
}

async function findFileRecording(file: string | URL): Promise<RecordingFiles> {
  const name = getBaseName(file).replace(exchangesExtension, "");
  const facts = resolveSibling(file, `${name}.deployment.json`);
  const chains: (string | URL)[] = [];
  for (const ending of ["chain.json", "chain.json.gz"]) {
    const chain = resolveSibling(file, `${name}.${ending}`);
    if (chains.length === 0 && await statPath(chain) !== null) chains.push(chain);
  }
  return {
    name,
    files: [file],
    facts: await statPath(facts) === null ? undefined : facts,
    chains,
  };
}

async function findFolderRecording(folder: string | URL): Promise<RecordingFiles> {
  const fileNames = await listFiles(folder);
  const files = [...fileNames, ...await listRawFiles(folder)]
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
    name: getBaseName(folder),
    files: files.map((name) => joinPath(folder, name)),
    facts: first && joinPath(folder, first),
    chains: chains.map((name) => joinPath(folder, name)),
  };
}

async function listFiles(folder: string | URL): Promise<string[]> {
  const entries = await localFiles().readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name).sort();
}

/** Lists the files of a dataset's responses, in their own folder. */
async function listRawFiles(folder: string | URL): Promise<string[]> {
  if (await statPath(joinPath(folder, "manifest.json")) === null) return [];
  const raw = joinPath(folder, "raw");
  if (await statPath(raw) === null) return [];
  return (await listFiles(raw)).map((name) => `raw/${name}`);
}

/** Joins a folder and a file name: a path for a path, a URL for a URL. */
function joinPath(folder: string | URL, name: string): string | URL {
  if (typeof folder === "string") return `${folder.replace(/[/\\]+$/, "")}/${name}`;
  return new URL(name, folder.href.endsWith("/") ? folder : `${folder.href}/`);
}

function resolveSibling(file: string | URL, name: string): string | URL {
  if (typeof file !== "string") return new URL(name, file);
  return file.slice(0, file.length - getBaseName(file).length) + name;
}

function getBaseName(path: string | URL): string {
  const text = typeof path === "string" ? path : decodeURIComponent(path.pathname);
  return text.replace(/[/\\]+$/, "").split(/[/\\]/).at(-1) ?? text;
}
