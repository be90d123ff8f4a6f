import { InputError } from "../errors/mod.ts";
import { isWhole } from "../errors/option_rules.ts";
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
    throw toFactsError(file, "the file", "a JSON object", text, cause);
  }
  if (!isObject(value)) throw toFactsError(file, "the file", "a JSON object", text);
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).filter(([name]) => FIELD_RULES.some(([field]) => field === name)),
  );
  if (!isFacts(fields)) {
    const [name, expectation] = FIELD_RULES.find(([field, , isValid]) => !isValid(fields[field]))!;
    throw toFactsError(file, name, expectation, JSON.stringify(fields[name]) ?? "nothing");
  }
  const { walked, ...deployment } = fields;
  return walked === undefined ? { deployment } : { deployment, walked };
}

function isFacts(
  value: Record<string, unknown>,
): value is Record<string, unknown> & Deployment & Pick<RecordingFacts, "walked"> {
  return FIELD_RULES.every(([name, , isValid]) => isValid(value[name]));
}

/** The fields of a deployment file, the required form of each, and its check. */
const FIELD_RULES: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
  ["chainId", "a positive integer", (value) => isWhole(value, 1)],
  ["settlementContract", "an address", isAddress],
  ["wrappedNativeToken", "an address", allowAbsent(isAddress)],
  ["ethFlowContracts", "a list of addresses", allowAbsent(checkList(isAddress))],
  ["tokens", "a list of { address, decimals, symbol }", allowAbsent(checkList(isToken))],
  ["solvers", "a list of { address, name }", allowAbsent(checkList(isSolver))],
  ["walked", "{ from, to } with auction ids, the lower first", allowAbsent(isRange)],
];

function allowAbsent(isValid: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isValid(value);
}

function checkList(isElement: (element: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((element) => isElement(element));
}

function toFactsError(
  file: string | URL,
  path: string,
  expectation: string,
  text: string,
  cause?: unknown,
): InputError {
  return new InputError(`Cannot read the deployment in ${file}: ${path} must be ${expectation}`, {
    facts: { found: text.length > 80 ? `${text.slice(0, 80)}…` : text },
    remedy: "Correct the file, or delete it to derive the deployment from the orders",
    cause,
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has the two fields that every deployment has. */
export function isDeployment(value: unknown): value is Deployment {
  return isObject(value) && isWhole(value.chainId, 1) && isAddress(value.settlementContract);
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}

function isToken(value: unknown): boolean {
  return isObject(value) && isAddress(value.address) && typeof value.symbol === "string" &&
    Number.isSafeInteger(value.decimals);
}

function isSolver(value: unknown): boolean {
  return isObject(value) && isAddress(value.address) && typeof value.name === "string";
}

function isRange(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value.from) && Number.isSafeInteger(value.to) &&
    Number(value.from) <= Number(value.to);
}
