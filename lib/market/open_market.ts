import {
  type AddressOptions,
  connect,
  type DeployedFetch,
  type DeployedTransport,
  type NetworkOptions,
  OrderBook,
} from "../client/mod.ts";
import { DatasetPaths, hashFile } from "../datasets/layout/files.ts";
import { openDataset, shippedDatasets } from "../datasets/mod.ts";
import { findNearestText, InputError } from "../errors/orderlens_error.ts";
import { checkOptions, describeValue } from "../errors/option_rules.ts";
import { registerSecret } from "../errors/secrets.ts";
import { isMissing, localFiles } from "../http/local_files.ts";
import { isNetworkName } from "../networks/explorer_url.ts";
import { NETWORKS } from "../networks/networks.ts";
import { replay } from "../recordings/mod.ts";
import { findShippedRecording, shippedRecordings } from "../recordings/shipped_recordings.ts";
import { Market } from "./market.ts";
import { MARKET_OPTIONS, type MarketOptions, type MarketSource } from "./market_options.ts";

const ACTION = "Cannot open a market";

/**
 * Opens a market: a range of auctions of any source, with every table and report behind it.
 *
 * A local source, such as a recording, a dataset or a sandbox, has all auctions; a network or a URL the
 * latest 20, unless `last` says otherwise. Nothing but a name or a folder is read before the first call.
 *
 * With `cacheFolder`, a market of a network or a URL that is opened again requests what is new: auctions
 * since, and orders that were not final. `refresh` of an open market does so too.
 *
 * The name of a recording wins over the same name of a dataset: `market_1` is the recording, and
 * `dataset://market_1`, or its folder, the dataset. A dataset is read as it was published,
 * whole; with `last`, its newest auctions are derived from its responses.
 *
 * @param source Name, folder, network, URL, or input of `connect`; see {@linkcode MarketSource}.
 * @param options Range of auctions, and facts that the source lacks.
 * @throws {InputError} If nothing has the name, or an option is invalid.
 *
 * @example A recording, a dataset, and the newest auctions of both
 * ```ts
 * import { openMarket } from "orderlens/market";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await openMarket("market_1", { last: 60 });
 * const dataset = await openMarket("dataset://market_1", { last: 5 });
 *
 * assertEquals((await recording.auctions()).height, 35);
 * assertEquals((await dataset.auctions()).height, 4);
 * ```
 */
export async function openMarket(
  source: MarketSource,
  options: MarketOptions = {},
): Promise<Market> {
  checkOptions(options, MARKET_OPTIONS, ACTION);
  if (source instanceof OrderBook) {
    return new Market({ book: source, origin: source.transport }, requireLocal(source, options));
  }
  if (typeof source !== "string" && !(source instanceof URL)) return openLocal(source, options);
  const name = String(source);
  if (isNetworkName(name)) {
    return new Market({ book: connect(name, pickSendingOptions(options)), origin: null }, options);
  }
  if (/^https?:/i.test(name)) {
    const { chainId, ...sending } = pickSendingOptions(options);
    // Without the id, `connect` throws.
    const book = connect(name, { ...sending, chainId: chainId! });
    return new Market({ book, origin: null }, options);
  }
  const [, kind, local] = /^(dataset|replay):\/\/(.+)$/.exec(name) ?? [];
  if (kind === "dataset") return openLocal(await openDataset(local!), options);
  if (kind === "replay") return openLocal(await replay(local!), options);
  return openLocal(await openLocalSource(/^file:/i.test(name) ? new URL(name) : name), options);
}

function openLocal(source: DeployedTransport | DeployedFetch, options: MarketOptions): Market {
  const { chainId, settlementContract } = options;
  const facts = {
    ...chainId !== undefined && { chainId },
    ...settlementContract !== undefined && { settlementContract },
  };
  const sourceChainId = source?.deployment?.chainId;
  if (chainId !== undefined && sourceChainId !== undefined && chainId !== sourceChainId) {
    throw new InputError(`${ACTION} of chain ${sourceChainId} with chainId ${chainId}`, {
      remedy: "Omit chainId: the source has its own",
    });
  }
  const isTransport = typeof source === "object" && source !== null && "send" in source;
  const book = isTransport ? connect(source, facts) : connect(source, facts);
  return new Market({ book, origin: source }, requireLocal(book, options));
}

/** Rejects options of networks and URLs, which would otherwise be ignored silently. */
function requireLocal({ baseUrl }: OrderBook, options: MarketOptions): MarketOptions {
  const option = (["environment", "apiKey"] as const).find((name) => options[name] !== undefined);
  if (option === undefined) return options;
  throw new InputError(`${ACTION} of ${baseUrl} with ${option}`, {
    remedy: `Omit ${option}: it applies to names of networks and to URLs`,
  });
}

/** Picks the options of a connection to a network or a URL. */
function pickSendingOptions(options: MarketOptions): NetworkOptions & Partial<AddressOptions> {
  const { environment, apiKey, cacheFolder, chainId, settlementContract } = options;
  if (apiKey !== undefined) registerSecret(apiKey);
  return {
    ...environment !== undefined && { environment },
    ...apiKey !== undefined && { headers: { "x-api-key": apiKey } },
    ...cacheFolder !== undefined && { cacheFolder },
    ...chainId !== undefined && { chainId },
    ...settlementContract !== undefined && { settlementContract },
  };
}

/** Opens a recording or a dataset, by its name if it ships, otherwise by its path. */
async function openLocalSource(nameOrPath: string | URL): Promise<DeployedTransport> {
  const isName = typeof nameOrPath === "string";
  if (isName && findShippedRecording(nameOrPath) !== undefined) return await replay(nameOrPath);
  if (isName && shippedDatasets().includes(nameOrPath)) return await openDataset(nameOrPath);
  try {
    await localFiles().stat(nameOrPath);
  } catch (error) {
    if (isMissing(error)) throw await createSourceError(String(nameOrPath), error);
    throw error;
  }
  const manifest = new DatasetPaths(nameOrPath).file("manifest.json");
  return await hashFile(manifest) === null
    ? await replay(nameOrPath)
    : await openDataset(nameOrPath);
}

async function createSourceError(name: string, cause: unknown): Promise<InputError> {
  const [recordings, datasets] = [await shippedRecordings(), shippedDatasets()];
  const networks = Object.keys(NETWORKS);
  const nearest = findNearestText(name, [...networks, ...recordings, ...datasets]);
  return new InputError(
    `${ACTION} of ${describeValue(name)}: ` +
      (nearest === undefined ? "nothing has this name" : `did you mean "${nearest}"?`),
    {
      facts: {
        networks: networks.join(", "),
        recordings: recordings.join(", "),
        datasets: datasets.join(", "),
      },
      remedy: "Pass one of these names, the folder of a recording or a dataset, or the URL of a " +
        "deployment with its scheme and { chainId }",
      cause,
    },
  );
}
