import { assertEquals } from "@std/assert";
import { explorerUrl, NETWORKS, parseExplorerUrl } from "../../lib/networks/mod.ts";

const UID = `0x${"ab".repeat(56)}`;
const HASH = `0x${"cd".repeat(32)}`;
const ACCOUNT = `0x${"ef".repeat(20)}`;

Deno.test("parseExplorerUrl() is the inverse of explorerUrl() on every network", () => {
  for (const { name } of Object.values(NETWORKS)) {
    for (const subject of [{ uid: UID }, { transaction: HASH }, { account: ACCOUNT }]) {
      assertEquals(parseExplorerUrl(explorerUrl(name, subject)), { network: name, subject });
    }
  }
});

Deno.test("parseExplorerUrl() takes any letter case, a query and a slash at the end", () => {
  const subject = { uid: UID };
  const url = `https://EXPLORER.cow.fi/arb1/orders/${UID.replaceAll("ab", "AB")}/?tab=fills#top`;
  assertEquals(parseExplorerUrl(url), { network: "arbitrum_one", subject });
});

Deno.test("parseExplorerUrl() is null for other hosts, pages and lengths", () => {
  for (
    const text of [
      UID,
      `https://explorer.cow.fi.example/orders/${UID}`,
      `https://example.org/?https://explorer.cow.fi/orders/${UID}`,
      `https://explorer.cow.fi/elsewhere/orders/${UID}`,
      `https://explorer.cow.fi/tx/${UID}`,
      `https://explorer.cow.fi/orders/${UID}00`,
      `ftp://explorer.cow.fi/orders/${UID}`,
    ]
  ) assertEquals(parseExplorerUrl(text), null, text);
});
