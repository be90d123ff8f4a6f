import {
  DEVELOPMENT_ACCOUNTS,
  type Sandbox,
  type SandboxDescription,
} from "../../lib/sandbox/mod.ts";
import { FOR_EVER, MISSING, NATIVE_TOKEN, TOO_DEAR } from "./refused_values.ts";
import { type OrderBody, Trader } from "./trader.ts";
import type { Witness } from "./witness.ts";

const CREATE = "POST /api/v1/orders";

/** Asks for all orders that a sandbox refuses; some name orders that are done, to replace them. */
export async function placeWhatIsRefused(
  sandbox: Sandbox,
  { witness, done }: { witness: Witness; done: readonly string[] },
): Promise<void> {
  const trader = new Trader(sandbox, witness);
  const refuse = async (changes: Partial<OrderBody>) =>
    await witness.ask(CREATE, await trader.order(changes));
  for (const changes of refusedChanges(sandbox.description)) await refuse(changes);
  const irreplaceable = [...done, ...await openButIrreplaceable(sandbox, { trader, witness })];
  for (const uid of irreplaceable) {
    await refuse(metadata({ replacedOrder: { uid } }));
  }
  const twice = await trader.order();
  for (let time = 0; time < 2; time++) await witness.ask(CREATE, twice);
}

function refusedChanges(description: SandboxDescription): Partial<OrderBody>[] {
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
    { from: MISSING.address, signingScheme: "eip1271", signature: "0x" },
    { from: null, signingScheme: "presign", signature: "0x" },
    { signature: `0x${"12".repeat(65)}` },
    { appData: "[]" },
    { appDataHash: MISSING.hash },
    metadata({ signer: MISSING.address }),
    metadata({
      hooks: { pre: [{ target: wrappedNativeToken, callData: "0x", gasLimit: "9000000" }] },
    }),
  ];
}

/** UIDs of orders that are bid on, another's, signed on the chain, or none. */
async function openButIrreplaceable(
  sandbox: Sandbox,
  { trader, witness }: { trader: Trader; witness: Witness },
): Promise<string[]> {
  const other = new Trader(sandbox, witness, { account: DEVELOPMENT_ACCOUNTS[1]! });
  const uids = [
    await trader.place(),
    await other.place({ buyAmount: TOO_DEAR }),
    await trader.place({ signingScheme: "presign", signature: "0x" }),
    MISSING.uid,
  ];
  await sandbox.advance();
  return uids;
}

function metadata(content: Readonly<Record<string, unknown>>): Partial<OrderBody> {
  return { appData: JSON.stringify({ metadata: content }) };
}
