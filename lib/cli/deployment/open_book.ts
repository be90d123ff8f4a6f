import type { OrderBook } from "../../client/order_book.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { unknownWord } from "../words/usage_error.ts";
import { hideCredentials, readApiKey } from "./read_secret.ts";
import type { Target } from "./target.ts";

/** Auctions that a sandbox of the command line has held. */
export const SANDBOX_AUCTIONS = 50;

/** For who waits at a screen: a host that hangs is given up after ten seconds. */
export const PROMPT = { timeoutMs: 10_000, silenceMs: 10_000 } as const;

/** Connects to a deployment; asks it nothing yet. */
export async function openBook(
  session: Session,
  given: Given,
  target: Target,
  patience: Partial<typeof PROMPT> = {},
): Promise<OrderBook> {
  const { connect } = await import("../../client/mod.ts");
  switch (target.kind) {
    case "network": {
      const { network, environment } = target;
      return connect(network, {
        environment,
        ...patience,
        ...settlementOption(target),
        ...await keyOption(session, given),
      });
    }
    case "url":
      hideCredentials(session, target.url);
      return connect(target.url, {
        chainId: target.chainId,
        ...patience,
        ...settlementOption(target),
        ...await keyOption(session, given),
      });
    case "recording": {
      const { replay, shippedRecordings } = await import("../../recordings/mod.ts");
      const { recording } = target;
      if (await isMissingPath(recording)) {
        const known = await shippedRecordings();
        const what = `${given.cannot} with --recording ${recording}`;
        if (!known.includes(recording)) {
          throw unknownWord({ what, noun: "recording, and no path", word: recording }, known);
        }
      }
      return connect(await replay(recording));
    }
    case "sandbox": {
      const { openSandbox } = await import("../../sandbox/mod.ts");
      const { seed } = target;
      const sandbox = await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "virtual" });
      const { transport, chainId, settlementContract, clock } = connect(sandbox);
      // Another seed is another market: the name keeps it out of the same dataset.
      const send = transport.send.bind(transport);
      const named = { baseUrl: `sandbox://${seed}`, send };
      return connect(named, { chainId, settlementContract, clock });
    }
  }
}

/** Whether nothing has a path. */
export async function isMissingPath(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

function settlementOption(
  { settlementContract }: { readonly settlementContract: string | undefined },
): { settlementContract?: string } {
  return settlementContract === undefined ? {} : { settlementContract };
}

async function keyOption(session: Session, given: Given): Promise<{ headers?: HeadersInit }> {
  const key = await readApiKey(session, given);
  return key === undefined ? {} : { headers: { "x-api-key": key } };
}

/** Words that name a deployment again in another command. */
export function targetWords(target: Target): string[] {
  switch (target.kind) {
    case "network": {
      const staging = target.environment === "staging" ? ["--env", "staging"] : [];
      return ["--network", target.network, ...staging, ...settlementWords(target)];
    }
    case "url":
      return ["--url", target.url, "--chain-id", `${target.chainId}`, ...settlementWords(target)];
    case "recording":
      return ["--recording", target.recording];
    case "sandbox":
      return ["--sandbox", `${target.seed}`];
  }
}

function settlementWords(
  { settlementContract }: { readonly settlementContract: string | undefined },
): string[] {
  return settlementContract === undefined ? [] : ["--settlement", settlementContract];
}
