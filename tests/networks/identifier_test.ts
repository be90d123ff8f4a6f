import { assertEquals } from "@std/assert";
import { isShortenedFrom, parseIdentifier } from "../../lib/networks/identifier.ts";
import { NETWORKS } from "../../lib/networks/networks.ts";

const UID = "c2".repeat(32) + "5afe".repeat(10) + "6b01b290";
const HASH = "b7".repeat(32);
const ADDRESS = "5afe".repeat(10);

Deno.test("parseIdentifier() reads each kind with 0x, with \\x, bare, and in upper case", () => {
  for (const [kind, digits] of [["order", UID], ["transaction", HASH], ["account", ADDRESS]]) {
    for (const form of [digits!, digits!.toUpperCase()]) {
      for (const text of [`0x${form}`, `0X${form}`, `\\x${form}`, form, ` '0x${form}', `]) {
        assertEquals<unknown>(parseIdentifier(text), { kind, key: `0x${digits}`, network: null });
      }
    }
  }
  assertEquals(parseIdentifier("#2624"), { kind: "auction", key: "2624", network: null });
});

Deno.test("parseIdentifier() reads pages of all builds of the protocol's explorer, with their network", () => {
  const builds = ["", "dev.", "staging.", "barn."].map((build) =>
    `https://${build}explorer.cow.fi`
  );
  for (const build of builds) {
    for (const { name, explorer } of Object.values(NETWORKS)) {
      const slug = explorer.replace("https://explorer.cow.fi", "");
      for (const path of [slug, `/${name}`]) {
        for (
          const [folder, kind, digits] of [
            ["orders", "order", UID],
            ["tx", "transaction", HASH],
            ["address", "account", ADDRESS],
          ] as const
        ) {
          const expected = { kind, key: `0x${digits}`, network: name };
          assertEquals<unknown>(parseIdentifier(`${build}${path}/${folder}/0x${digits}`), expected);
        }
      }
    }
  }
  const page = `https://barn.explorer.cow.fi/gc/orders/0x${UID}?tab=fills#top`;
  assertEquals(parseIdentifier(`<${page}>`), { kind: "order", key: `0x${UID}`, network: "xdai" });
});

Deno.test("parseIdentifier() reads responses of every deployment, with their network", () => {
  for (const { name, api } of Object.values(NETWORKS)) {
    for (const root of [api.production, api.staging]) {
      for (
        const [path, kind, digits] of [
          [`/api/v1/orders/0x${UID}`, "order", UID],
          [`/api/v1/orders/0x${UID}/status`, "order", UID],
          [`/restricted/api/v1/debug/order/0x${UID}`, "order", UID],
          [`/api/v2/trades?limit=10&orderUid=0x${UID}`, "order", UID],
          [`/api/v1/transactions/0x${HASH}/orders`, "transaction", HASH],
          [`/api/v2/solver_competition/by_tx_hash/0x${HASH}`, "transaction", HASH],
          [`/api/v1/account/0x${ADDRESS}/orders`, "account", ADDRESS],
        ] as const
      ) {
        const expected = { kind, key: `0x${digits}`, network: name };
        assertEquals<unknown>(parseIdentifier(`${root}${path}`), expected);
        assertEquals<unknown>(parseIdentifier(`${root}${path}`.slice("https://".length)), expected);
      }
    }
  }
  const auction = { kind: "auction", key: "2624", network: null } as const;
  assertEquals(
    parseIdentifier("https://api.cow.fi/xdai/api/v2/solver_competition/2624"),
    auction,
  );
});

Deno.test("parseIdentifier() reads what a person copies along with it", () => {
  const order = { kind: "order", key: `0x${UID}`, network: null } as const;
  const [begin, middle, end] = [UID.slice(0, 50), UID.slice(50, 100), UID.slice(100)];
  for (
    const text of [
      `0x${UID}.`,
      `“0x${UID}”?`,
      `**0x${UID}**`,
      `- [0x${UID}],`,
      `"uid": "0x${UID}",`,
      `order 0x${UID} is stuck!`,
      `\\x${UID}\n`,
      `0x${begin}\n${middle}\n${end}`,
      `> 0x${begin}\r\n> ${middle}\r\n> ${end}`,
      `0x${UID} and once more 0x${UID.toUpperCase()}`,
    ]
  ) assertEquals([text, parseIdentifier(text)], [text, order]);
  for (
    const text of [
      `see https://explorer.cow.fi/gc/orders/0x${UID}, please`,
      `[order](https://explorer.cow.fi/gc/orders/0x${UID})`,
      `explorer.cow.fi/gc/orders/0x${UID}`,
    ]
  ) assertEquals([text, parseIdentifier(text)], [text, { ...order, network: "xdai" }]);
  assertEquals(parseIdentifier(`eth.blockscout.com/tx/0x${HASH}?tab=logs`), {
    kind: "transaction",
    key: `0x${HASH}`,
    network: null,
  });
});

Deno.test("parseIdentifier() reads addresses of other pages by their folder, without a network", () => {
  const order = { kind: "order", key: `0x${UID}`, network: null } as const;
  for (
    const text of [
      `https://api.cow.example/mainnet/api/v1/orders/0x${UID}/status`,
      `http://127.0.0.1:8000/orders/${UID}`,
      `https://explorer.cow.fi/goerli/orders/0x${UID}`,
    ]
  ) assertEquals(parseIdentifier(text), order);
  const auction = { kind: "auction", key: "2624", network: null } as const;
  assertEquals(parseIdentifier("http://127.0.0.1:8000/auctions/2624"), auction);
});

Deno.test("parseIdentifier() reads the short forms that pages and tables print", () => {
  for (const text of ["0xc2c2c2c2…01b290", "0xC2C2C2C2...01B290", "\\xc2c2c2c2..01b290"]) {
    const shortened = parseIdentifier(text);
    assertEquals<unknown>(shortened, {
      kind: "shortened",
      begin: "0xc2c2c2c2",
      end: "01b290",
      network: null,
    });
    if (shortened?.kind !== "shortened") continue;
    assertEquals(isShortenedFrom(shortened, `0x${UID.toUpperCase()}`), true);
    assertEquals(isShortenedFrom(shortened, `0x${UID}`), true);
    assertEquals(isShortenedFrom(shortened, `0x${HASH}`), false);
  }
});

Deno.test("parseIdentifier() reads nothing else", () => {
  const others = [
    "",
    "0x",
    `0x${UID}0`,
    UID.slice(1),
    `x${UID}`,
    `0x0x${ADDRESS}`,
    "solver_b",
    "1234567890123456",
    `https://etherscan.io/token/0x${ADDRESS}`,
    `https://explorer.cow.fi/orders/0x${HASH}0`,
    "https://",
    "0xc2…",
    `0x${UID} or 0x${HASH}`,
    `0x${ADDRESS}\n0x${HASH}`,
    `0x${"00".repeat(100)} `.repeat(10_000),
  ];
  for (const text of others) assertEquals([text, parseIdentifier(text)], [text, null]);
});
