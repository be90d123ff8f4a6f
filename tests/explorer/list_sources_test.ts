import { assert, assertEquals } from "@std/assert";
import { connect } from "orderlens";
import { openMarket } from "orderlens/market";
import { openSandbox } from "orderlens/sandbox";
import { createMarketReader } from "../../lib/explorer/list_sources.ts";
import { countRequests } from "../../lib/market/refresh.ts";

Deno.test("createMarketReader() has the rows of a market that is opened now, with fewer requests", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 60 });
  const book = connect(sandbox);
  const read = createMarketReader(book, sandbox, new AbortController().signal);
  const first = await read();
  const firstAuctions = (await first.auctions()).toRecords();
  const before = countRequests(book)!;

  await sandbox.advance({ auctions: 5 });
  const second = await read();
  const requests = countRequests(book)! - before;
  await using opened = await openMarket(sandbox, { last: 100 });
  for (const table of ["auctions", "orders", "trades", "fills", "attempts"] as const) {
    assertEquals((await second[table]()).toRecords(), (await opened[table]()).toRecords(), table);
  }
  assertEquals((await first.auctions()).toRecords(), firstAuctions);
  assertEquals((await second.auctions()).height, firstAuctions.length + 5);
  const anew = countRequests(opened.book)!;
  assert(requests * 3 < anew, `${requests} requests instead of ${anew}`);
});
