import { ENVIRONMENTS } from "../arguments/options.ts";
import { parseNetworkName } from "../../networks/explorer_url.ts";
import type { Environment, NetworkName } from "../../networks/network.ts";
import { type Args, usageError } from "../arguments/command_line.ts";

/** The deployment that is asked. */
export type Target =
  | {
    readonly kind: "network";
    readonly network: NetworkName;
    readonly environment: Environment;
    readonly settlementContract: string | undefined;
  }
  | {
    readonly kind: "url";
    readonly url: string;
    readonly chainId: number;
    readonly settlementContract: string | undefined;
  }
  | { readonly kind: "recording"; readonly recording: string }
  | { readonly kind: "sandbox"; readonly seed: number };

/** Whether a deployment is asked over HTTP. */
export function isLive({ kind }: Target): boolean {
  return kind === "network" || kind === "url";
}

/** Options of which exactly one names a deployment. */
const NAMING = ["--network", "--url", "--recording", "--sandbox"] as const;
/** Options that say nothing without another. */
const NEEDS: readonly (readonly [option: string, needed: readonly string[]])[] = [
  ["--env", ["--network"]],
  ["--chain-id", ["--url"]],
  ["--settlement", ["--url", "--network"]],
  ["--api-key-file", ["--url", "--network"]],
];

/**
 * The deployment that the options name; `null` if they name none.
 *
 * @throws {InputError} If they name several, or not all of one.
 */
export function targetOf(args: Args): Target | null {
  const named = NAMING.filter((option) => args.has(option));
  if (named.length > 1) {
    throw usageError(
      `${args.cannot} with ${named.join(" and ")}`,
      `Pass one of ${NAMING.join(", ")}`,
    );
  }
  for (const [option, needed] of NEEDS) {
    if (!args.has(option) || needed.some((other) => args.has(other))) continue;
    throw usageError(
      `${args.cannot} with ${option} alone: it says nothing without ${needed.join(" or ")}`,
      `Pass ${needed.join(" or ")} too, or leave it out`,
    );
  }
  switch (named[0]) {
    case "--network":
      return networkOf(args);
    case "--url":
      return urlOf(args);
    case "--recording":
      return { kind: "recording", recording: args.text("--recording")! };
    case "--sandbox":
      return { kind: "sandbox", seed: args.whole("--sandbox")! };
    default:
      return null;
  }
}

/**
 * The deployment that the options name.
 *
 * @throws {InputError} If they name none or several, or not all of one.
 */
export function requireTarget(args: Args): Target {
  const target = targetOf(args);
  if (target !== null) return target;
  throw usageError(
    `${args.cannot} without a deployment`,
    `Pass one of ${NAMING.join(", ")}, such as --network mainnet`,
  );
}

function networkOf(args: Args): Target {
  const environment = args.choice("--env", "environment", ENVIRONMENTS);
  return {
    kind: "network",
    network: parseNetworkName(args.text("--network") ?? ""),
    environment: environment === "staging" ? "staging" : "production",
    settlementContract: settlementOf(args),
  };
}

function urlOf(args: Args): Target {
  const chainId = args.whole("--chain-id", 1);
  if (chainId === undefined) {
    throw usageError(
      `${args.cannot} with --url and without --chain-id: a URL does not say its chain`,
      "Pass --chain-id, such as --chain-id 100",
    );
  }
  const text = args.text("--url") ?? "";
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw usageError(
      `${args.cannot} with --url: it is no URL of http or https`,
      "Pass one with its scheme, such as http://127.0.0.1:8080",
    );
  }
  return { kind: "url", url: text, chainId, settlementContract: settlementOf(args) };
}

function settlementOf(args: Args): string | undefined {
  const text = args.text("--settlement");
  if (text === undefined || /^0x[0-9a-fA-F]{40}$/.test(text)) return text;
  throw usageError(
    `${args.cannot} with --settlement: it is no address`,
    "Pass 0x and 40 hex digits",
  );
}
