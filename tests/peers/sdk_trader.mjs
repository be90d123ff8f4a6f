/**
 * A program that trades at sandboxes with the official SDK, as a bot would that is given a sandbox's
 * address and which development account it is (`program.open`). Each line of its input is a JSON
 * array, a method and its arguments; each is answered with what the SDK gave or threw. Runs under Deno
 * and under Node.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { createPublicClient, custom } from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** Not in the project's own import map, so that nothing but this program asks for them. */
const PACKAGES = ["@cowprotocol/cow-sdk", "@cowprotocol/sdk-viem-adapter"];
const [sdk, { ViemAdapter }] = await Promise.all(PACKAGES.map((name) => import(name)));

const MNEMONIC = "test test test test test test test test test test test junk";

/** There is no chain: what asks one fails. */
const transport = custom({
  request: ({ method }) => Promise.reject(new Error(`There is no chain to ask for ${method}`)),
});

/** What can be called at the sandbox at `address`, as the development account of this number. */
async function callableAt(address, account) {
  const { chainId } = await (await fetch(`${address}/sandbox`)).json();
  const adapter = new ViemAdapter({
    provider: createPublicClient({ chain: { id: chainId }, transport }),
    signer: mnemonicToAccount(MNEMONIC, { addressIndex: account }),
  });
  const orderBook = new sdk.OrderBookApi({
    chainId,
    baseUrls: { [chainId]: address },
    // Its default of five requests a second would be most of what is waited for.
    limiterOpts: { tokensPerInterval: 1000, interval: "second" },
    // It would ask a service that fails nine times again, for a minute and more.
    backoffOpts: { numOfAttempts: 1 },
  });
  const trading = new sdk.TradingSdk(
    { chainId, appCode: "Peer" },
    { orderBookApi: orderBook },
    adapter,
  );
  return { orderBook, trading, trader: traderOf(trading, { chainId, adapter }) };
}

/** What cannot be called with JSON alone. */
function traderOf(trading, { chainId, adapter }) {
  return {
    async swap(parameters) {
      const { quoteResults, postSwapOrderFromQuote } = await trading.getQuote(parameters);
      const { quoteResponse, amountsAndCosts } = quoteResults;
      return { quoteResponse, amountsAndCosts, ...await postSwapOrderFromQuote() };
    },
    signOrder: (order) => sdk.OrderSigningUtils.signOrder(order, chainId, adapter.signer),
    /** The SDK takes this scheme by itself only where a wallet can sign no other way. */
    async ethSignOrder(order) {
      const domain = await sdk.OrderSigningUtils.getDomain(chainId);
      const { ETHSIGN } = sdk.ContractsSigningScheme;
      const { data } = await sdk.signOrder(domain, order, ETHSIGN, adapter.signer);
      return { signature: data, signingScheme: sdk.SigningScheme.ETHSIGN };
    },
    signCancellations: (uids) =>
      sdk.OrderSigningUtils.signOrderCancellations(uids, chainId, adapter.signer),
  };
}

const program = {
  async open(address, account) {
    callable = { program, ...await callableAt(address, account) };
  },
};
let callable = { program };

async function answer(line) {
  const [name, ...args] = JSON.parse(line);
  const [object, method] = name.split(".");
  try {
    return { value: await callable[object][method](...args) ?? null };
  } catch (error) {
    const { constructor, message, response, body } = error;
    return { error: { name: constructor.name, message, status: response?.status, body } };
  }
}

const withBigints = (_key, value) => typeof value === "bigint" ? String(value) : value;

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line), withBigints)}\n`);
}
