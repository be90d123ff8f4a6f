import type { OrderBook } from "../client/order_book.ts";
import { InputError } from "../errors/mod.ts";
import { registerSecret } from "../errors/secrets.ts";
import { localFiles, statPath } from "../http/local_files.ts";
import { parseNetworkName } from "../networks/explorer_url.ts";
import type { Environment, NetworkName } from "../networks/network.ts";
import {
  type Args,
  ENVIRONMENTS,
  isWebUrl,
  KEY_VARIABLE,
  RPC_VARIABLE,
  unknownWordError,
  WEBHOOK_VARIABLE,
} from "./arguments/command_line.ts";
import type { Session } from "./terminal/session.ts";

/** Auctions that a sandbox of the command line holds before it opens. */
export const SANDBOX_AUCTIONS = 50;

/** Timeouts while a user waits: a host that hangs is given up after ten seconds. */
export const TIMEOUTS = { timeoutMs: 10_000, silenceMs: 10_000 } as const;

/** Connects to a deployment; sends no request yet. */
export async function openBook(
  session: Session,
  args: Args,
  target: Target,
  timeouts: Partial<typeof TIMEOUTS> = {},
): Promise<OrderBook> {
  const { connect } = await import("../client/mod.ts");
  switch (target.kind) {
    case "network": {
      const { network, options } = target;
      return connect(network, { ...options, ...timeouts, ...await readKeyHeaders(session, args) });
    }
    case "url": {
      const { url, options } = target;
      hideCredentials(session, url);
      return connect(url, { ...options, ...timeouts, ...await readKeyHeaders(session, args) });
    }
    case "recording": {
      const { replay, shippedRecordings } = await import("../recordings/mod.ts");
      const { recording } = target;
      if (await statPath(recording) === null) {
        const names = await shippedRecordings();
        if (!names.includes(recording)) {
          const message = `${args.cannot} with --recording ${recording}`;
          throw unknownWordError(message, { noun: "recording or path", word: recording }, names);
        }
      }
      return connect(await replay(recording));
    }
    case "sandbox": {
      const { openSandbox } = await import("../sandbox/mod.ts");
      const { seed } = target;
      const sandbox = await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "virtual" });
      const { transport, chainId, settlementContract, clock } = connect(sandbox);
      // Another seed is another market: the name keeps it out of the same dataset.
      const send = transport.send.bind(transport);
      const deployment = {
        baseUrl: `sandbox://${seed}`,
        send,
        deployment: sandbox.deployment,
      };
      return connect(deployment, { chainId, settlementContract, clock });
    }
  }
}

async function readKeyHeaders(session: Session, args: Args): Promise<{ headers?: HeadersInit }> {
  const key = await readApiKey(session, args);
  return key === undefined ? {} : { headers: { "x-api-key": key } };
}

/** Formats a deployment as the options that name it. */
export function formatTarget(target: Target): string[] {
  switch (target.kind) {
    case "network": {
      const { environment, settlementContract: contract } = target.options;
      const staging = environment === "staging" ? ["--env", "staging"] : [];
      return ["--network", target.network, ...staging, ...formatSettlement(contract)];
    }
    case "url": {
      const { chainId, settlementContract } = target.options;
      const contract = formatSettlement(settlementContract);
      return ["--url", target.url, "--chain-id", `${chainId}`, ...contract];
    }
    case "recording":
      return ["--recording", target.recording];
    case "sandbox":
      return ["--sandbox", `${target.seed}`];
  }
}

function formatSettlement(contract: string | undefined): string[] {
  return contract === undefined ? [] : ["--settlement", contract];
}

/** A part of a path that looks like a key: long, of letters and digits. */
const KEY_LIKE = /^(?=.*\d)[\w-]{16,}$/;

/**
 * Reads the API key of a partner from its file or the environment; `undefined` without one. From then
 * on, it is hidden in all texts.
 *
 * @throws {InputError} If the file is empty or cannot be read.
 */
export async function readApiKey(session: Session, args: Args): Promise<string | undefined> {
  const key = await readOptionFile(args, "--api-key-file") ?? session.io.env(KEY_VARIABLE)?.trim();
  if (key === undefined || key === "") return undefined;
  registerSecret(key);
  return key;
}

/**
 * Reads the secret that webhooks are signed with from its file or the environment. From then on, it is
 * hidden in all texts.
 *
 * @throws {InputError} If there is none, or its file is empty or cannot be read.
 */
export async function readWebhookSecret(session: Session, args: Args): Promise<string> {
  const secret = await readOptionFile(args, "--webhook-secret-file") ??
    session.io.env(WEBHOOK_VARIABLE)?.trim();
  if (secret === undefined || secret === "") {
    throw args.error(
      "with --webhook but without a secret: the receiver could not trust any message",
      `Set ${WEBHOOK_VARIABLE}, or pass --webhook-secret-file`,
    );
  }
  registerSecret(secret);
  return secret;
}

/**
 * Reads the URL of a node from its file, the command line or the environment; `undefined` without one.
 * From then on, a key in it is hidden in all texts; one on the command line causes a warning.
 *
 * @param isLive Whether a live deployment is queried. Only then is the environment read, since a
 *   recording or a sandbox has its own chain.
 * @throws {InputError} If it is no URL, or its file is empty or cannot be read.
 */
export async function readRpcUrl(
  session: Session,
  args: Args,
  { isLive }: { readonly isLive: boolean },
): Promise<string | undefined> {
  const flagText = args.text("--rpc-url");
  const text = await readOptionFile(args, "--rpc-url-file") ?? flagText ??
    (isLive ? session.io.env(RPC_VARIABLE) : undefined);
  if (text === undefined) return undefined;
  if (!isWebUrl(text.trim())) {
    throw args.error(
      "with this node: its URL is not an http or https URL",
      "Pass one with its scheme, such as https://node.example",
    );
  }
  const url = new URL(text.trim());
  const secrets = findSecrets(url);
  for (const secret of secrets) registerSecret(secret);
  if (text === flagText && secrets.length > 0) {
    session.warn(
      "Other programs on this machine can see the key in --rpc-url: " +
        `set ${RPC_VARIABLE} or pass --rpc-url-file instead`,
    );
  }
  return url.href;
}

/** Hides the credentials of a URL on the command line, and warns about them. */
function hideCredentials(session: Session, address: string): void {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  const secrets = [username, password].filter((text) => text !== "").map(decodeURIComponent);
  for (const secret of secrets) registerSecret(secret);
  if (secrets.length === 0) return;
  session.warn(
    "Other programs on this machine can see the credentials in --url: " +
      `remove them, and set ${KEY_VARIABLE} or pass --api-key-file if the service takes a key`,
  );
}

/** Finds possible keys in a URL: credentials, values of its query, and long parts of its path. */
function findSecrets(url: URL): string[] {
  return [
    url.username,
    url.password,
    ...url.searchParams.values(),
    ...url.pathname.split("/").filter((part) => KEY_LIKE.test(part)),
  ].filter((text) => text !== "").map(decodeURIComponent);
}

async function readOptionFile(args: Args, option: string): Promise<string | undefined> {
  const file = args.text(option);
  if (file === undefined) return undefined;
  const text = (await readTextFile(file, `${args.cannot} with ${option}`)).trim();
  if (text !== "") return text;
  throw args.error(`with ${option} ${file}: the file is empty`, "Write the value into it");
}

/**
 * Reads a text file.
 *
 * @throws {InputError} If it cannot be read.
 */
export async function readTextFile(file: string, cannot: string): Promise<string> {
  try {
    return await localFiles().readFile(file, "utf8");
  } catch (cause) {
    throw new InputError(`${cannot}: ${file} cannot be read`, {
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      remedy: "Pass the path of a file that can be read",
      cause,
    });
  }
}

/** A deployment, as named on the command line. */
export type Target =
  | {
    readonly kind: "network";
    readonly network: NetworkName;
    readonly options: { readonly environment: Environment; readonly settlementContract?: string };
  }
  | {
    readonly kind: "url";
    readonly url: string;
    readonly options: { readonly chainId: number; readonly settlementContract?: string };
  }
  | { readonly kind: "recording"; readonly recording: string }
  | { readonly kind: "sandbox"; readonly seed: number };

/** Whether a deployment is queried over HTTP. */
export function isLive({ kind }: Target): boolean {
  return kind === "network" || kind === "url";
}

/** Options that name a deployment, of which one may be passed. */
const DEPLOYMENT_OPTIONS = ["--network", "--url", "--recording", "--sandbox"] as const;
/** Options that have no effect without one of others. */
const DEPENDENT_OPTIONS: readonly (readonly [option: string, ...needed: string[]])[] = [
  ["--env", "--network"],
  ["--chain-id", "--url"],
  ["--settlement", "--url", "--network"],
  ["--api-key-file", "--url", "--network"],
];

/**
 * Reads the deployment that the options name; `null` if they name none.
 *
 * @throws {InputError} If they name several, or one incompletely.
 */
export function readTarget(args: Args): Target | null {
  const chosen = DEPLOYMENT_OPTIONS.filter((option) => args.has(option));
  if (chosen.length > 1) {
    throw args.error(
      `with ${chosen.join(" and ")}`,
      `Pass one of ${DEPLOYMENT_OPTIONS.join(", ")}`,
    );
  }
  for (const [option, ...requiredOptions] of DEPENDENT_OPTIONS) {
    if (!args.has(option) || requiredOptions.some((name) => args.has(name))) continue;
    throw args.error(
      `with ${option} alone: it has no effect without ${requiredOptions.join(" or ")}`,
      `Pass ${requiredOptions.join(" or ")} too, or leave it out`,
    );
  }
  const contract = args.address("--settlement");
  const settlement = contract === undefined ? {} : { settlementContract: contract };
  switch (chosen[0]) {
    case "--network": {
      const environment = args.choice("--env", ENVIRONMENTS) ?? "production";
      const network = parseNetworkName(args.text("--network") ?? "");
      return { kind: "network", network, options: { environment, ...settlement } };
    }
    case "--url": {
      const chainId = args.whole("--chain-id", 1);
      if (chainId === undefined) {
        throw args.error(
          "with --url but without --chain-id: a URL does not identify its chain",
          "Pass --chain-id, such as --chain-id 100",
        );
      }
      const url = args.url("--url", "http://127.0.0.1:8080")!;
      return { kind: "url", url, options: { chainId, ...settlement } };
    }
    case "--recording":
      return { kind: "recording", recording: args.text("--recording")! };
    case "--sandbox":
      return { kind: "sandbox", seed: args.whole("--sandbox")! };
    default:
      return null;
  }
}

/**
 * Reads the deployment that the options name.
 *
 * @throws {InputError} If they name none or several, or one incompletely.
 */
export function requireTarget(args: Args): Target {
  const target = readTarget(args);
  if (target !== null) return target;
  throw args.error(
    "without a deployment",
    `Pass one of ${DEPLOYMENT_OPTIONS.join(", ")}, such as --network mainnet`,
  );
}
