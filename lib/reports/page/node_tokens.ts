import { IN_PROCESS_URL } from "../../client/connect.ts";
import { type NodeSource, type OnchainToken, tokenFacts } from "../../evm/mod.ts";
import { cleanSymbol } from "../../evm/node/read_tokens.ts";
import { findNativeSymbol, NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../networks/networks.ts";
import { type TokenOptions, toLookupFunction } from "../../tables/columns/lookups.ts";
import { findAgreedFact } from "../../tables/columns/token_facts.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import {
  createReportNode,
  explainFailure,
  type ReportedDeployment,
} from "../order/order_report.ts";

/** Facts about tokens that a node returned, or the reason that it returned none. */
interface NodeTokens {
  /** Facts, those that were known before included. */
  readonly tokens: TokenOptions;
  /** The reason that the node returned nothing; `null` if it returned everything, or there was nothing to read. */
  readonly failure: string | null;
}

/** Reads decimals and symbols of tokens that are not known yet. */
export type TokenReader = (addresses: Iterable<string>) => Promise<NodeTokens>;

/** Tokens whose facts are cached: some hundred bytes each. */
const MAX_TOKENS = 20_000;
/** Milliseconds after which a node that failed is asked again. */
const RETRY_MS = 60_000;

/**
 * Creates a reader of tokens, which asks a node once about each that neither the deployment nor the files
 * that ship name.
 *
 * @param node A node of the chain; without one, nothing is read.
 * @param known Facts about tokens, which take precedence.
 */
export function createTokenReader(
  node: NodeSource | null | undefined,
  { chainId, known: knownTokens, signal }: {
    readonly chainId: number;
    readonly known: TokenOptions;
    readonly signal?: AbortSignal | undefined;
  },
): TokenReader {
  const decimals = toLookupFunction(knownTokens.decimals);
  const symbols = toLookupFunction(knownTokens.symbols);
  const { network } = knownTokens;
  const readTokens = new HexMap<OnchainToken | null>();
  const isUnknown = (token: string) =>
    !sameHex(token, NATIVE_TOKEN_ADDRESS) && !readTokens.has(token) &&
    ((decimals(token) ?? findAgreedFact("decimals", token, network)) == null ||
      (symbols(token) ?? findAgreedFact("symbol", token, network)) == null);
  let failed: { readonly at: number; readonly why: string } | null = null;
  return async (addresses) => {
    const unreadTokens = node == null ? [] : [...new Set(addresses)].filter(isUnknown);
    const isPaused = failed !== null && performance.now() - failed.at < RETRY_MS;
    if (unreadTokens.length > 0 && !isPaused) {
      failed = null;
      try {
        const source = createReportNode(node!, { chainId, signal })!;
        const facts = new HexMap(await tokenFacts(source, unreadTokens, { signal }));
        if (readTokens.size > MAX_TOKENS) readTokens.clear();
        for (const token of unreadTokens) readTokens.set(token, facts.get(token) ?? null);
      } catch (error) {
        failed = { at: performance.now(), why: explainFailure(error).why };
      }
    }
    const tokens: TokenOptions = readTokens.size === 0 ? knownTokens : {
      ...knownTokens,
      decimals: (token) => decimals(token) ?? readTokens.get(token)?.decimals,
      symbols: (token) => symbols(token) ?? readTokens.get(token)?.symbol,
    };
    return { tokens, failure: unreadTokens.length === 0 ? null : failed?.why ?? null };
  };
}

/** Reads the tokens that a deployment names itself, such as that of a recording or a sandbox. */
export function readDeploymentTokens(origin: object): TokenOptions {
  const tokens: unknown = Object("deployment" in origin ? origin.deployment : null).tokens;
  const decimals = new HexMap<number>();
  const symbols = new HexMap<string>();
  for (const token of Array.isArray(tokens) ? tokens : []) {
    decimals.set(token.address, token.decimals);
    symbols.set(token.address, token.symbol);
  }
  return { decimals, symbols };
}

/**
 * Chooses the network whose shipped tokens are those of a deployment: its own, or that of its chain if it settles
 * through the contract of that network and names no tokens itself. Elsewhere an address may be any token:
 * recordings and datasets have the tokens of `local`, and others are of a network of which none ship.
 *
 * @param facts Facts about tokens that the deployment names itself.
 */
export function chooseTokenNetwork(
  deployment: Omit<ReportedDeployment, "environment">,
  { symbols }: TokenOptions = {},
): string {
  const { network, chainId, settlementContract, source } = deployment;
  if (network !== null) return network;
  const unknownNetwork = `chain ${chainId}`;
  if (source === IN_PROCESS_URL) return unknownNetwork;
  const chainNetwork = Object.values(NETWORKS).find((item) => item.chainId === chainId);
  const { production, staging } = chainNetwork?.contracts.settlement ?? {};
  const isOfChain = [production, ...Object.values(staging ?? {})].some((contract) =>
    contract != null && sameHex(contract, settlementContract)
  );
  if (chainNetwork !== undefined && isOfChain) {
    return typeof symbols === "object" && symbols.size > 0 ? unknownNetwork : chainNetwork.name;
  }
  return /^(?:replay|dataset):/.test(source) ? "local" : unknownNetwork;
}

/**
 * Names the tokens of a page: those of its network, the native one by the symbol of its chain, and other
 * people's symbols without characters that cannot be seen, cut after 32 characters. Tokens that share a
 * symbol are found among all of them.
 */
export function namePageTokens(
  addresses: Iterable<string>,
  facts: TokenOptions,
  deployment: Omit<ReportedDeployment, "environment">,
): TokenOptions {
  const readSymbol = toLookupFunction(facts.symbols);
  const symbols = new HexMap<string>([
    [NATIVE_TOKEN_ADDRESS, findNativeSymbol(deployment.chainId) ?? "native"],
  ]);
  const named = facts.symbols === undefined || typeof facts.symbols === "function"
    ? []
    : facts.symbols.keys();
  for (const token of [...named, ...addresses]) {
    const symbol = readSymbol(token);
    const clean = symbol == null ? null : cleanSymbol(symbol);
    if (clean !== null) symbols.set(token, clean);
  }
  const readDecimals = toLookupFunction(facts.decimals);
  const decimals = (token: string) =>
    readDecimals(token) ?? (sameHex(token, NATIVE_TOKEN_ADDRESS) ? NATIVE_DECIMALS : undefined);
  return { network: chooseTokenNetwork(deployment, facts), ...facts, decimals, symbols };
}

/** Fields of reports that name a token. */
const TOKEN_FIELDS = new Set(["sellToken", "buyToken", "token", "executedFeeToken"]);

/** Lists the addresses of all tokens of a report, in lower case. */
export function listTokens(value: unknown, tokens: Set<string> = new Set()): Set<string> {
  if (typeof value !== "object" || value === null) return tokens;
  for (const [field, fieldValue] of Object.entries(value)) {
    const isToken = typeof fieldValue === "string" && TOKEN_FIELDS.has(field) &&
      /^0x[0-9a-f]{40}$/i.test(fieldValue);
    if (isToken) tokens.add(fieldValue.toLowerCase());
    else listTokens(fieldValue, tokens);
  }
  return tokens;
}
