import { formatAdvice } from "../arguments/format_advice.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { toHex } from "../../evm/hex.ts";
import { decodeAnswer, toRpcCall } from "../../evm/node/contract_calls.ts";
import { connectNode, unwrap } from "../../evm/node/json_rpc.ts";
import { computeDomainSeparator } from "../../evm/orders/order_digest.ts";
import type { OrderDomain } from "../../evm/orders/order_uid.ts";
import { VERSION } from "../../http/mod.ts";
import { type Args, KEY_VARIABLE, RPC_VARIABLE } from "../arguments/command_line.ts";
import {
  openBook,
  readApiKey,
  readRpcUrl,
  readTarget,
  type Target,
  TIMEOUTS,
} from "../deployment.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";
import { findCloneFile } from "./run_tool.ts";

/** One thing that was checked. */
interface Check {
  readonly name: string;
  /** `missing` is something that not everybody needs. */
  readonly state: "ok" | "missing" | "failed";
  readonly found: string;
  /** The remedy; `null` if nothing is wrong. */
  readonly fix: string | null;
}

const MIN_DENO = [2, 9] as const;
const NODE_TIMEOUT_MS = 20_000;
const START_FIX = "Run bin/orderlens, which grants each command its permissions";

/** Prints the result of each check, with a fix for each problem. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const checks = await checkAll(session, args);
  if (session.isJson) session.printJson("doctor", { checks });
  else {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, state, found: detail, fix } of checks) {
      session.print(`${state.padEnd(7)}  ${name.padEnd(width)}  ${detail}`);
      if (fix !== null) session.print(`${" ".repeat(width + 11)}Fix: ${fix}`);
    }
  }
  return checks.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
}

/** Checks this machine, and the deployment and node that are named. */
async function checkAll(session: Session, args: Args): Promise<Check[]> {
  const target = readTarget(args);
  const key = await readApiKey(session, args);
  const rpcUrl = await readRpcUrl(session, args, { isLive: true });
  return [
    typeof Deno === "undefined" ? ok("Node", process.versions.node) : checkDeno(Deno.version.deno),
    ok("Orderlens", VERSION),
    ...typeof Deno === "undefined" ? [] : PERMISSIONS.map((name) => checkPermission(name)),
    await runCheck("polars", async () => {
      const { TABLE_NAMES } = await import("../../datasets/shards/published_tables.ts");
      return `loads, ${TABLE_NAMES.length} tables`;
    }),
    await checkFolder(),
    await findCloneFile("tools/run_lab.ts") === null
      ? missing("Clone", "none; lab and notebook run need one", "Clone the repository")
      : ok("Clone", "yes"),
    await findCloneFile(".venv/orderlens.json") === null
      ? missing("Jupyter", "not installed", "Run `orderlens lab`, which installs it in the clone")
      : ok("Jupyter", "installed"),
    key === undefined
      ? missing("API key", "none; debug reports need one", `Set ${KEY_VARIABLE}`)
      : ok("API key", "set"),
    target === null
      ? missing("Deployment", "none was named", "Pass --network mainnet to query one")
      : await runCheck("Deployment", () => askDeployment(session, args, target)),
    rpcUrl === undefined
      ? missing("Node", "none; times of auctions are intervals", `Set ${RPC_VARIABLE}`)
      : await runCheck("Node", () => askNode(rpcUrl, session.signal)),
    ...await checkContract(session, args, { target, rpcUrl }),
  ];
}

/** Whether a version of Deno is new enough. */
function checkDeno(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > MIN_DENO[0] || (major === MIN_DENO[0] && minor >= MIN_DENO[1]);
  return isNew
    ? ok("Deno", version)
    : failed("Deno", version, "Install 2.9 or newer with `deno upgrade`");
}

const PERMISSIONS = ["read", "write", "ffi", "sys"] as const;

function checkPermission(name: typeof PERMISSIONS[number]): Check {
  const { state } = Deno.permissions.querySync({ name });
  const title = `Permission ${name}`;
  return state === "granted" ? ok(title, "granted") : failed(title, state, START_FIX);
}

async function checkFolder(): Promise<Check> {
  try {
    await localFiles().rmdir(await localFiles().mkdtemp("./.orderlens-"));
    return ok("This folder", "writable");
  } catch (error) {
    return failed("This folder", formatError(error), "Export into a folder that can be written");
  }
}

async function askDeployment(session: Session, args: Args, target: Target): Promise<string> {
  const book = await openBook(session, args, target, TIMEOUTS);
  const { auctionId } = await book.competition("latest", { signal: session.signal });
  return `${book.baseUrl} responds, newest auction ${auctionId}`;
}

async function askNode(rpcUrl: string, signal: AbortSignal): Promise<string> {
  const cannot = "Cannot get the node's chain";
  const node = connectNode(rpcUrl, cannot, { signal, timeoutMs: NODE_TIMEOUT_MS, retries: 0 });
  const [response] = await node([{ method: "eth_chainId", params: [] }]);
  return `responds, chain ${response === undefined ? "unknown" : Number(unwrap(response, cannot))}`;
}

/** Checks that the node's chain has the contract of `--settlement`; empty without that option. */
async function checkContract(
  session: Session,
  args: Args,
  { target, rpcUrl }: { readonly target: Target | null; readonly rpcUrl: string | undefined },
): Promise<Check[]> {
  const name = "Contract";
  const address = args.address("--settlement");
  if (address === undefined || target === null) return [];
  if (rpcUrl === undefined) {
    return [missing(name, `${address} is not checked without a node`, `Set ${RPC_VARIABLE}`)];
  }
  const check = await runCheck(name, async () => {
    const { domain, chainId } = await openBook(session, args, target, TIMEOUTS);
    await requireContract(rpcUrl, domain, session.signal);
    return `${address} settles on chain ${chainId}, confirmed by the node`;
  });
  return [check];
}

/** Requires that the contract at a domain's address reports that domain. */
async function requireContract(
  rpcUrl: string,
  domain: OrderDomain,
  signal: AbortSignal,
): Promise<void> {
  const { chainId, verifyingContract: contract } = domain;
  const cannot = "Cannot get the contract from the node";
  const node = connectNode(rpcUrl, cannot, { signal, timeoutMs: NODE_TIMEOUT_MS, retries: 0 });
  const call = { to: contract, name: "domainSeparator" };
  const [response] = await node([toRpcCall(call, "latest")]);
  const separator = response === undefined ? undefined : decodeAnswer(call, response, cannot);
  if (separator === toHex(computeDomainSeparator(domain))) return;
  const message = separator === undefined
    ? `${contract} is not a settlement contract on the node's chain`
    : `${contract} is a settlement contract, but not that of chain ${chainId}`;
  throw new InputError(message, { remedy: "Pass the contract and the node of the same chain" });
}

/** Runs a check; a thrown error fails it, with the remedy of the error. */
async function runCheck(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return ok(name, await work());
  } catch (error) {
    const remedy = error instanceof Error && "remedy" in error
      ? formatAdvice(`${error.remedy}`)
      : START_FIX;
    return failed(name, formatError(error), remedy);
  }
}

/** Formats the first line of an error, and the reason of a network error. */
function formatError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = /^ {2}because: (.*)$/m.exec(text)?.[1];
  return `${text.split("\n")[0] ?? ""}${reason === undefined ? "" : ` (${reason})`}`;
}

function ok(name: string, detail: string): Check {
  return { name, state: "ok", found: detail, fix: null };
}

function missing(name: string, detail: string, fix: string): Check {
  return { name, state: "missing", found: detail, fix };
}

function failed(name: string, detail: string, fix: string): Check {
  return { name, state: "failed", found: detail, fix };
}
