import { InputError } from "../errors/mod.ts";
import { readBytes } from "../http/read_body.ts";

/** A token of a recorded deployment. */
export interface DeploymentToken {
  /** Address of the token. */
  readonly address: string;
  /** Decimals of the token. */
  readonly decimals: number;
  /** Short name. */
  readonly symbol: string;
}

/** A solver of a recorded deployment. */
export interface DeploymentSolver {
  /** Address that the solver submits from, as in competitions. */
  readonly address: string;
  /** Configured name. */
  readonly name: string;
}

/**
 * The facts of a deployment: what is needed to sign orders and compute UIDs, and optional details.
 */
export interface Deployment {
  /** Chain the deployment is on. */
  readonly chainId: number;
  /** Address of the settlement contract: the verifying contract of every order. */
  readonly settlementContract: string;
  /** Address of the wrapped native token, if known. */
  readonly wrappedNativeToken?: string;
  /** Contracts that place orders that sell native currency, if known. */
  readonly ethFlowContracts?: readonly string[];
  /** Traded tokens, if known. */
  readonly tokens?: readonly DeploymentToken[];
  /** Solvers, if known. */
  readonly solvers?: readonly DeploymentSolver[];
}

/** An inclusive range of auction ids. */
export interface AuctionRange {
  /** First auction id of the range. */
  readonly from: number;
  /** Last auction id of the range. */
  readonly to: number;
}

/** The content of a deployment file next to a recording. */
interface RecordingFacts {
  /** The deployment that was recorded. */
  readonly deployment: Deployment;
  /** Range whose recorded competitions are complete: an id without a response does not exist. */
  readonly walked?: AuctionRange;
}

/**
 * Reads a deployment file (`<name>.deployment.json`).
 *
 * @throws {InputError} If it is not JSON, or a field is missing or invalid.
 */
export async function readFacts(file: string | URL): Promise<RecordingFacts> {
  const text = new TextDecoder().decode(await readBytes(file));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidFacts(file, "the file", "a JSON object", text, cause);
  }
  const fail = (path: string, expected: string, found: unknown) =>
    invalidFacts(file, path, expected, JSON.stringify(found) ?? "nothing");
  if (!isObject(value)) throw fail("the file", "a JSON object", value);
  const { chainId, settlementContract, wrappedNativeToken, ethFlowContracts, tokens, solvers } =
    value;
  if (!isPositiveInteger(chainId)) throw fail("chainId", "a positive integer", chainId);
  if (!isAddress(settlementContract)) {
    throw fail("settlementContract", "an address", settlementContract);
  }
  if (wrappedNativeToken !== undefined && !isAddress(wrappedNativeToken)) {
    throw fail("wrappedNativeToken", "an address", wrappedNativeToken);
  }
  if (ethFlowContracts !== undefined && !isListOf(ethFlowContracts, isAddress)) {
    throw fail("ethFlowContracts", "a list of addresses", ethFlowContracts);
  }
  if (tokens !== undefined && !isListOf(tokens, isToken)) {
    throw fail("tokens", "a list of { address, decimals, symbol }", tokens);
  }
  if (solvers !== undefined && !isListOf(solvers, isSolver)) {
    throw fail("solvers", "a list of { address, name }", solvers);
  }
  const walked = value.walked;
  if (walked !== undefined && !isRange(walked)) {
    throw fail("walked", "{ from, to } with auction ids, the lower first", walked);
  }
  return {
    deployment: {
      chainId,
      settlementContract,
      ...(wrappedNativeToken === undefined ? {} : { wrappedNativeToken }),
      ...(ethFlowContracts === undefined ? {} : { ethFlowContracts }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(solvers === undefined ? {} : { solvers }),
    },
    ...(walked === undefined ? {} : { walked }),
  };
}

function invalidFacts(
  file: string | URL,
  path: string,
  expected: string,
  found: string,
  cause?: unknown,
): InputError {
  return new InputError(`Cannot read the deployment in ${file}: ${path} must be ${expected}`, {
    facts: { found: found.length > 80 ? `${found.slice(0, 80)}…` : found },
    remedy: "Correct the file, or delete it to derive the deployment from the orders",
    cause,
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPositiveInteger(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** Whether a value has the two fields that every deployment has. */
export function isDeployment(value: unknown): value is Deployment {
  return isObject(value) && isPositiveInteger(value.chainId) && isAddress(value.settlementContract);
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}

function isListOf<T>(value: unknown, isElement: (element: unknown) => element is T): value is T[] {
  return Array.isArray(value) && value.every(isElement);
}

function isToken(value: unknown): value is DeploymentToken {
  return isObject(value) && isAddress(value.address) && typeof value.symbol === "string" &&
    Number.isSafeInteger(value.decimals);
}

function isSolver(value: unknown): value is DeploymentSolver {
  return isObject(value) && isAddress(value.address) && typeof value.name === "string";
}

function isAuctionId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

function isRange(value: unknown): value is AuctionRange {
  return isObject(value) && isAuctionId(value.from) && isAuctionId(value.to) &&
    value.from <= value.to;
}
