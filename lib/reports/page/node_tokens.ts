import { type NodeSource, tokenFacts } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { type TokenOptions, toLookupFunction } from "../../tables/columns/lookups.ts";
import { findAgreedFact } from "../../tables/columns/token_facts.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { createReportNode, explainFailure } from "../order/order_report.ts";
import type { Report } from "./report_content.ts";

/** Facts about tokens that a node returned, or the reason that it returned none. */
interface NodeTokens {
  /** Facts, those that were known before included. */
  readonly tokens: TokenOptions;
  /** The reason that the node returned nothing; `null` if it returned everything, or there was nothing to read. */
  readonly failure: string | null;
}

/**
 * Reads decimals and symbols of the tokens of a report that are not known yet.
 *
 * @param report What is shown.
 * @param node A node of its chain.
 * @param known What is known already, which comes first.
 */
export async function readNodeTokens(
  report: Report,
  node: NodeSource,
  { known: knownTokens = {}, signal }: {
    readonly known?: TokenOptions;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<NodeTokens> {
  const decimals = toLookupFunction(knownTokens.decimals);
  const symbols = toLookupFunction(knownTokens.symbols);
  const unreadTokens = [...listTokens(report)].filter((token) =>
    (decimals(token) ?? findAgreedFact("decimals", token, knownTokens.network)) == null
  );
  if (unreadTokens.length === 0) return { tokens: knownTokens, failure: null };
  try {
    const { chainId } = report.deployment;
    const source = createReportNode(node, { chainId, signal })!;
    const facts = new HexMap(await tokenFacts(source, unreadTokens, { signal }));
    const tokens: TokenOptions = {
      ...knownTokens,
      decimals: (token) => facts.get(token)?.decimals ?? decimals(token),
      symbols: (token) => facts.get(token)?.symbol ?? symbols(token),
    };
    return { tokens, failure: null };
  } catch (error) {
    return { tokens: knownTokens, failure: explainFailure(error).why };
  }
}

/** Fields of reports that name a token. */
const TOKEN_FIELDS = new Set(["sellToken", "buyToken", "token", "executedFeeToken"]);

/** Addresses of all tokens of a report but the native one, which has no contract. */
function listTokens(value: unknown, tokens = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return tokens;
  for (const [field, fieldValue] of Object.entries(value)) {
    const isToken = typeof fieldValue === "string" && TOKEN_FIELDS.has(field) &&
      /^0x[0-9a-f]{40}$/i.test(fieldValue);
    if (isToken && !sameHex(fieldValue, NATIVE_TOKEN_ADDRESS)) tokens.add(fieldValue.toLowerCase());
    else listTokens(fieldValue, tokens);
  }
  return tokens;
}
