import * as chains from "viem/chains";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError, NETWORKS } from "orderlens";
import { explorerUrl, parseExplorerUrl } from "orderlens/networks";

const UID = `0x${"Ab".repeat(56)}`;
const HASH = `0x${"Cd".repeat(32)}`;
const ADDRESS = `0x${"eF".repeat(20)}`;

Deno.test("explorerUrl() links orders to the protocol's explorer, the rest to the block explorer", () => {
  const pages = [
    explorerUrl("mainnet", { uid: UID }),
    explorerUrl("arbitrum_one", { uid: UID }),
    explorerUrl("base", { transaction: HASH }),
    explorerUrl("bnb", { account: ADDRESS }),
    explorerUrl("ink", { token: ADDRESS }),
  ];
  assertEquals(pages, [
    `https://explorer.cow.fi/orders/${UID.toLowerCase()}`,
    `https://explorer.cow.fi/arb1/orders/${UID.toLowerCase()}`,
    `https://basescan.org/tx/${HASH.toLowerCase()}`,
    `https://bscscan.com/address/${ADDRESS.toLowerCase()}`,
    `https://explorer.inkonchain.com/token/${ADDRESS.toLowerCase()}`,
  ]);
});

Deno.test("NETWORKS has the block explorers that viem has", () => {
  const known = Object.values(chains);
  for (const { name, chainId, blockExplorer } of Object.values(NETWORKS)) {
    const own = known.filter(({ id }) => id === chainId)
      .map((chain) => "blockExplorers" in chain ? chain.blockExplorers?.default.url : undefined);
    assert(own.includes(blockExplorer), `${name}: ${own}`);
    assert(new URL(blockExplorer).protocol === "https:" && !blockExplorer.endsWith("/"), name);
  }
});

Deno.test("explorerUrl() rejects what has no page", () => {
  const messageFor = (subject: unknown) =>
    assertThrows(() => explorerUrl("mainnet", subject as { uid: string }), InputError).message;
  assertEquals(
    messageFor({ uid: ADDRESS }),
    `Cannot link to an explorer for the uid "${ADDRESS}"\nFix: Pass 0x and 112 hex digits as uid`,
  );
  for (const wrong of ["", "0x", `${ADDRESS}"`, "javascript:alert(1)", null, 7n]) {
    assert(
      messageFor({ account: wrong }).startsWith("Cannot link to an explorer for the account "),
    );
  }
  assert(messageFor({}).includes("for 0 things"));
  assert(messageFor({ uid: UID, account: ADDRESS }).includes("for 2 things"));
  assert(messageFor({ order: UID }).includes('with "order"'));
  assert(messageFor(null).includes("with null"));
  assertThrows(() => explorerUrl("mainet" as "mainnet", { uid: UID }), InputError, "mainnet");
});

Deno.test("parseExplorerUrl() is the inverse of explorerUrl() on every network", () => {
  for (const { name } of Object.values(NETWORKS)) {
    for (
      const subject of [
        { uid: UID.toLowerCase() },
        { transaction: HASH.toLowerCase() },
        { account: ADDRESS.toLowerCase() },
      ]
    ) assertEquals(parseExplorerUrl(explorerUrl(name, subject)), { network: name, subject });
  }
});

Deno.test("parseExplorerUrl() takes any letter case, a query and a slash at the end", () => {
  const subject = { uid: UID.toLowerCase() };
  const url = `https://EXPLORER.cow.fi/arb1/orders/${UID}/?tab=fills#top`;
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
