import { isFinalOrder } from "../../endpoints/orders/is_final_order.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import type { Answer } from "../../recordings/exchange.ts";
import { isByUids, uidsOf } from "../../recordings/recorded_orders.ts";
import { splitJsonArray } from "../../recordings/split_json_array.ts";
import { decodeCompetition, decodeOrdersByUids } from "../../schemas/mod.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf, folderOf } from "../layout/durable_files.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { removeIfThere } from "../state/segment_lines.ts";
import { DatasetAnswers } from "../answers/dataset_answers.ts";

const COMPETITION = /^\/api\/v2\/solver_competition\/\d+$/;
const TRADES = /^\/api\/v2\/trades\?(?:.*&)?orderUid=(0x[0-9a-f]{112})/i;
const APP_DATA = /^\/api\/v1\/app_data\/0x[0-9a-f]{64}$/i;

/** Where the answers of a dataset stay while its folder is exported anew. */
function beforeOf(paths: DatasetPaths): DatasetPaths {
  return new DatasetPaths(`${paths.own}/before`);
}

/** Keeps the files of a dataset, of which an export that begins anew takes its answers, by second names. */
export async function keepBefore(paths: DatasetPaths, manifest: DatasetManifest): Promise<void> {
  const before = beforeOf(paths);
  if (await factsOf(before.file("manifest.json")) !== null) return;
  for (const path of [...manifest.files.map((file) => file.path), "manifest.json"]) {
    if (await factsOf(paths.file(path)) === null) continue;
    await Deno.mkdir(folderOf(before.file(path)), { recursive: true });
    await removeIfThere(before.file(path));
    await Deno.link(paths.file(path), before.file(path));
  }
}

/** Removes what {@linkcode keepBefore} kept: its answers are in the dataset again. */
export async function dropBefore(paths: DatasetPaths): Promise<void> {
  await Deno.remove(beforeOf(paths).folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/**
 * Answers from what was kept before, as far as it cannot have changed: auctions whose winners all
 * settled, ids without one, orders that one fill fulfilled, their fills, and documents. Everything
 * else is asked for.
 *
 * @returns The transport itself where nothing was kept.
 */
export async function takingUp(paths: DatasetPaths, transport: Transport): Promise<Transport> {
  const before = beforeOf(paths);
  if (await factsOf(before.file("manifest.json")) === null) return transport;
  return new KeptAnswers(before, await readManifest(before), transport);
}

class KeptAnswers implements Transport {
  readonly baseUrl: string;
  readonly #answers: DatasetAnswers;
  readonly #transport: Transport;
  readonly #final = new Map<string, string>();

  constructor(before: DatasetPaths, manifest: DatasetManifest, transport: Transport) {
    this.baseUrl = transport.baseUrl;
    this.#answers = new DatasetAnswers(before, manifest, transport.baseUrl);
    this.#transport = transport;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { method, path } = request;
    if (isByUids(method, path)) return await this.#orders(request);
    const kept = method === "GET" ? await this.#kept(request) : undefined;
    return kept === undefined ? await this.#transport.send(request) : responseOf(kept);
  }

  async #kept(request: HttpRequest): Promise<Answer | undefined> {
    const { path } = request;
    const [, uid] = TRADES.exec(path) ?? [];
    if (uid !== undefined) {
      return await this.#element(uid) === undefined ? undefined : await this.#answer(request);
    }
    if (APP_DATA.test(path)) return await this.#answer(request);
    if (!COMPETITION.test(path)) return undefined;
    const answer = await this.#answer(request);
    return answer !== undefined && (answer.status === 404 || isSettled(answer))
      ? answer
      : undefined;
  }

  /** Orders that are final from what was kept, the others together. */
  async #orders(request: HttpRequest): Promise<HttpResponse> {
    const elements: string[] = [];
    const others: string[] = [];
    for (const uid of uidsOf(request.body) ?? []) {
      const element = await this.#element(uid);
      if (element === undefined) others.push(uid);
      else elements.push(element);
    }
    if (elements.length === 0) return await this.#transport.send(request);
    const headers = new Headers({ "content-type": "application/json" });
    const answered: HttpResponse = others.length === 0
      ? { status: 200, contentType: "application/json", headers, body: "[]" }
      : await this.#transport.send({ ...request, body: JSON.stringify(others) });
    if (answered.status !== 200) return answered;
    const all = [...elements, ...splitJsonArray(answered.body) ?? []];
    return { ...answered, body: `[${all.join(",")}]` };
  }

  /** The element of an order that is final, as the service wrote it. */
  async #element(given: string): Promise<string | undefined> {
    const uid = given.toLowerCase();
    const known = this.#final.get(uid);
    if (known !== undefined) return known;
    const body = JSON.stringify([uid]);
    const answer = await this.#answer({ method: "POST", path: "/api/v1/orders/by_uids", body });
    const [element] = splitJsonArray(answer?.responseBody ?? "[]") ?? [];
    if (element === undefined) return undefined;
    const [found] = decodeOrdersByUids([JSON.parse(element)]).items;
    // Whether it was asked for after its expiry is not known.
    if (found?.order === undefined || !isFinalOrder(found.order, 0)) return undefined;
    this.#final.set(uid, element);
    return element;
  }

  async #answer(request: HttpRequest): Promise<Answer | undefined> {
    try {
      return await this.#answers.to(request);
    } catch (error) {
      if (error instanceof NotRecordedError) return undefined;
      throw error;
    }
  }
}

function isSettled({ status, responseBody }: Answer): boolean {
  if (status !== 200) return false;
  const winners = decodeCompetition(JSON.parse(responseBody)).solutions
    .filter(({ isWinner }) => isWinner);
  return winners.length > 0 && winners.every(({ txHash }) => txHash != null);
}

function responseOf({ status, contentType, responseBody }: Answer): HttpResponse {
  const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
  return { status, contentType, headers, body: responseBody };
}
