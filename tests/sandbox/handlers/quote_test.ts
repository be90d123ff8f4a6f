import { assert, assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { OrderDesk } from "../service/order_desk.ts";

const sandbox = await openSandbox({ seed: 7, auctions: 3 });
const desk = new OrderDesk(sandbox);
const [weth, , dai] = sandbox.description.tokens.map(({ address }) => address) as string[];

async function quoted(changes: Record<string, unknown>) {
  const { status, text } = await desk.ask("POST /api/v1/quote", {
    from: DEVELOPMENT_ACCOUNTS[0]!.address,
    sellToken: dai,
    buyToken: weth,
    kind: "sell",
    sellAmountBeforeFee: String(10n ** 22n),
    ...changes,
  });
  assertEquals(status, 200, text);
  return JSON.parse(text);
}

/** Cost of additional gas in sell-token atoms, by the numbers of the quote. */
function priceOf(gas: number, quote: { gasPrice: string; sellTokenPrice: string }): number {
  return gas * Number(quote.gasPrice) / Number(quote.sellTokenPrice);
}

Deno.test("quote() charges hooks and contract signatures in addition to the gas of the trade", async () => {
  const plain = (await quoted({})).quote;
  const target = DEVELOPMENT_ACCOUNTS[1]!.address;
  const hook = { target, callData: "0x", gasLimit: "5000" };
  const appData = JSON.stringify({ metadata: { hooks: { pre: [hook], post: [hook] } } });
  // As recorded from the service: 27,000 gas for a contract signature by default.
  const cases: [Record<string, unknown>, number][] = [
    [{ signingScheme: "ethsign" }, 0],
    [{ signingScheme: "presign" }, 0],
    [{ signingScheme: "eip1271" }, 27_000],
    [{ signingScheme: "eip1271", verificationGasLimit: 50_000 }, 50_000],
    [{ appData }, 10_000],
    [{ appData, signingScheme: "eip1271" }, 37_000],
  ];
  for (const [changes, gas] of cases) {
    const { quote } = await quoted(changes);
    assertEquals(quote.gasAmount, plain.gasAmount);
    const more = Number(BigInt(quote.feeAmount) - BigInt(plain.feeAmount));
    assert(Math.abs(more - priceOf(gas, quote)) <= 1e6, `${more} for ${gas} gas`);
    assertEquals(BigInt(quote.sellAmount) + BigInt(quote.feeAmount), 10n ** 22n);
  }
});

Deno.test("quote() keeps the sell amount exact if the amount after the fee is requested", async () => {
  for (const signingScheme of ["eip712", "eip1271"]) {
    const sellAmountAfterFee = String(10n ** 22n);
    const { quote } = await quoted({
      sellAmountBeforeFee: null,
      sellAmountAfterFee,
      signingScheme,
    });
    assertEquals(quote.sellAmount, sellAmountAfterFee);
  }
});

Deno.test("quote() expires after a minute, after ten for on-chain orders, and immediately if it is fast", async () => {
  const sinceOpening = ({ expiration }: { expiration: string }) =>
    Date.parse(expiration) / 1_000 - sandbox.description.now;
  assertEquals(sinceOpening(await quoted({})), 60);
  const onchain = { signingScheme: "presign", onchainOrder: true };
  assertEquals(sinceOpening(await quoted(onchain)), 600);
  const { id, verified, expiration } = await quoted({ priceQuality: "fast" });
  assertEquals([id, verified, expiration], [null, false, "1970-01-01T00:00:00Z"]);
});

Deno.test("quote() is verified for accounts without funds too, as in the service", async () => {
  assertEquals((await quoted({ from: `0x${"7e".repeat(20)}` })).verified, true);
});

Deno.test("quote() rejects selling a few atoms as the service does, for any pair", async () => {
  const tokens = sandbox.description.tokens.map(({ address }) => address);
  for (const sellToken of tokens) {
    for (const buyToken of tokens.filter((token) => token !== sellToken)) {
      const answers: (string | null)[] = [];
      for (const sellAmountBeforeFee of ["1", "5", "100"]) {
        const from = DEVELOPMENT_ACCOUNTS[0]!.address;
        const sale = { from, sellToken, buyToken, kind: "sell", sellAmountBeforeFee };
        answers.push((await desk.ask("POST /api/v1/quote", sale)).errorType);
      }
      assertEquals(answers, ["NoLiquidity", "NoLiquidity", "SellAmountDoesNotCoverFee"]);
    }
  }
});
