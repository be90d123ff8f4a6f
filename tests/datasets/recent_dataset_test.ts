import { connect, InputError } from "orderlens";
import { recentDataset, type RecentDatasetOptions } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";

Deno.test("recentDataset() requests nothing twice, goes on, and refuses another folder", async () => {
  const recording = await replay("market_1");
  let sent = 0;
  let isDown = false;
  const book = connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    send(request) {
      sent++;
      if (isDown) return Promise.reject(new Error("the network is down"));
      if (sent === 4) isDown = true;
      return recording.send(request);
    },
  });
  await withFolder(async (folder) => {
    const options = { auctions: 5, concurrency: 1 };
    await assertRejects(() => recentDataset(book, folder, options), Error, "the network is down");
    isDown = false;
    const dataset = await recentDataset(book, folder, options);
    const after = sent;
    const { competitions, orders } = await dataset.recent({ auctions: 5 });
    const again = await (await recentDataset(book, folder, options)).recent({ auctions: 5 });
    assertEquals(sent, after);
    assertEquals(again.competitions, competitions);
    assertEquals(again.orders, orders);
    assertEquals(competitions.at(-1)?.auctionId, recording.recorded.auctionIds.at(-1));
    await assertRejects(
      () => recentDataset(book, folder, { auctions: 6 }),
      InputError,
      "other settings",
    );
    for (const wrong of [{}, { auctions: 0 }, { auctions: 5, last: 5 }, { auctions: 5, x: 1 }]) {
      await assertRejects(
        () => recentDataset(book, `${folder}/new`, wrong as RecentDatasetOptions),
        InputError,
      );
    }
  });
});
