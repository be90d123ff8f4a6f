import { connect } from "orderlens";
import { orderAt } from "orderlens/evm";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";

Deno.test("orderAt() takes the signatures that a sandbox settles, and what it has filled", async () => {
  const sandbox = await openSandbox({ seed: 5, auctions: 60 });
  const book = connect(sandbox);
  const found = await Array.fromAsync(book.competitions({ last: 60 }));
  const uids = new Set(found.flatMap(({ competition }) => competition?.auction.orders ?? []));
  const schemes = new Map<string, number>();
  for (const uid of uids) {
    const order = await book.order(uid);
    const { kind, signingScheme, executedBuyAmount, executedSellAmountBeforeFees } = order;
    const state = await orderAt(sandbox, book.domain, order);
    assert(!("reason" in state));
    assertEquals(state.uid, uid);
    assertEquals(
      state.filledAtoms,
      kind === "sell" ? executedSellAmountBeforeFees : executedBuyAmount,
    );
    // An auction lists no order without its signature.
    assertEquals([uid, signingScheme, state.isSignatureValid], [uid, signingScheme, true]);
    if (state.refusal === "filled") assertEquals(order.status, "fulfilled");
    schemes.set(signingScheme, (schemes.get(signingScheme) ?? 0) + 1);
  }
  assertEquals([...schemes.keys()].sort(), ["eip1271", "eip712", "ethsign", "presign"]);
});
