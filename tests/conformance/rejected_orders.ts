import { DEVELOPMENT_ACCOUNTS, type SandboxDescription } from "../../lib/sandbox/mod.ts";
import type { OrderChanges, OrderDesk } from "../sandbox/service/order_desk.ts";
import { FOR_EVER, MISSING, NATIVE_TOKEN, TOO_DEAR } from "./rejected_values.ts";

/**
 * Places every kind of order that a sandbox rejects: each differs from a valid one in one respect, and
 * some are to replace orders that cannot be replaced.
 */
export async function placeRejectedOrders(
  desk: OrderDesk,
  { description, irreplaceable }: {
    description: SandboxDescription;
    irreplaceable: readonly string[];
  },
): Promise<void> {
  for (const changes of rejectedChanges(description)) await desk.place(changes);
  for (const uid of irreplaceable) await desk.place(metadata({ replacedOrder: { uid } }));
  const order = await desk.order();
  for (let time = 0; time < 2; time++) await desk.ask("POST /api/v1/orders", order);
}

/** UIDs of orders that will be bid on, belong to another account, are pre-signed, or do not exist. */
export async function placeIrreplaceable(desk: OrderDesk): Promise<string[]> {
  return [
    await desk.placed(),
    await desk.placed({ buyAmount: TOO_DEAR }, DEVELOPMENT_ACCOUNTS[1]),
    await desk.placed({ signingScheme: "presign" }),
    MISSING.uid,
  ];
}

function rejectedChanges(description: SandboxDescription): OrderChanges[] {
  const { wrappedNativeToken, unsupportedTokens, deniedAccounts, now } = description;
  return [
    { feeAmount: 1n },
    { sellAmount: 0n },
    { buyToken: wrappedNativeToken },
    { sellToken: NATIVE_TOKEN },
    { sellToken: MISSING.address },
    { buyToken: unsupportedTokens[0]!.address },
    { sellTokenBalance: "external" },
    { buyTokenBalance: "internal" },
    { validTo: now },
    { validTo: FOR_EVER },
    { receiver: deniedAccounts[0]! },
    { from: MISSING.address },
    { from: MISSING.address, signingScheme: "eip1271" },
    { from: null, signingScheme: "presign" },
    { signature: `0x${"12".repeat(65)}` },
    { document: "[]" },
    { appDataHash: MISSING.hash },
    metadata({ signer: MISSING.address }),
    metadata({
      hooks: { pre: [{ target: wrappedNativeToken, callData: "0x", gasLimit: "9000000" }] },
    }),
  ];
}

function metadata(content: Readonly<Record<string, unknown>>): OrderChanges {
  return { document: JSON.stringify({ metadata: content }) };
}
