import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { NETWORKS } from "../../lib/networks/networks.ts";
import { isNetworkName, parseNetworkName } from "../../lib/networks/parse_network_name.ts";

Deno.test("isNetworkName() knows the names and nothing that objects inherit", () => {
  for (const name of Object.keys(NETWORKS)) assertEquals(isNetworkName(name), true, name);
  for (const text of ["", "Mainnet", "gnosis", "1", "__proto__", "constructor", "toString"]) {
    assertEquals(isNetworkName(text), false, text);
  }
});

Deno.test("parseNetworkName() gives a name back", () => {
  assertEquals(parseNetworkName("arbitrum_one"), "arbitrum_one");
});

Deno.test("parseNetworkName() suggests the name that was meant", () => {
  const meant: readonly (readonly [string, string])[] = [
    ["mainet", "mainnet"],
    ["mianet", "mainnet"],
    ["MAINNET", "mainnet"],
    [" ink ", "ink"],
    ["ethereum", "mainnet"],
    ["etherium", "mainnet"],
    ["Ethereum", "mainnet"],
    ["1", "mainnet"],
    ["gnosis", "xdai"],
    ["Gnosis Chain", "xdai"],
    ["xDAI", "xdai"],
    ["100", "xdai"],
    ["arbitrum", "arbitrum_one"],
    ["arbitrum-one", "arbitrum_one"],
    ["Arbitrum One", "arbitrum_one"],
    ["abritrum", "arbitrum_one"],
    ["avax", "avalanche"],
    ["matic", "polygon"],
    ["polgyon", "polygon"],
    ["bsc", "bnb"],
    ["bas", "base"],
    ["sepola", "sepolia"],
    ["lina", "linea"],
    ["57073", "ink"],
  ];
  for (const [text, name] of meant) {
    assertThrows(() => parseNetworkName(text), InputError, `did you mean "${name}" (`);
  }
});

Deno.test("parseNetworkName() suggests nothing where nothing is near", () => {
  for (const text of ["", "optimism", "solana", "__proto__", "x", "31337", "m".repeat(1_000)]) {
    const error = assertThrows(() => parseNetworkName(text), InputError);
    assertEquals(error.message.includes("did you mean"), false, text);
    assertEquals(error.remedy.startsWith("Pass one of mainnet, xdai"), true);
  }
});

Deno.test("parseNetworkName() cuts long texts in its message", () => {
  const error = assertThrows(() => parseNetworkName("m".repeat(1_000)), InputError);
  assertEquals(error.message.split("\n")[0], `Cannot find a network named "${"m".repeat(80)}…"`);
});
