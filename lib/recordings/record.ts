import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, rule } from "../errors/option_rules.ts";
import { hideWholeSecrets } from "../errors/secrets.ts";
import { isTaken, localFiles } from "../http/reading/local_files.ts";
import type { HttpRequest, HttpResponse, HttpStream, Transport } from "../http/mod.ts";
import { type Deployment, isDeployment, readFacts } from "./deployment.ts";
import { type Answer, printExchange } from "./exchange.ts";
import { joinPath } from "./find_recording.ts";

/** Options of {@linkcode record}. */
export interface RecordOptions {
  /** The recorded deployment. @default {the transport's deployment, if it has one} */
  readonly deployment?: Deployment;
}

const OPTIONS: OptionRules<RecordOptions> = {
  deployment: rule("facts of a deployment", isDeployment),
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

  async #write({ method, path, body }: HttpRequest, answer: Answer): Promise<void> {
    const target = { method, path: hideWholeSecrets(path) };
    const request = body === undefined ? target : { ...target, requestBody: body };
    const { responseBody } = answer;
    const line = printExchange({
      ...answer,
      ...request,
      responseBody: hideWholeSecrets(responseBody),
    });
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
