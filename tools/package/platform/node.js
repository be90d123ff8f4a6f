// `Temporal` comes with Node 26, the hexadecimal methods of bytes with Node 25, the others with Node 22.
import { createRequire } from "node:module";
import "temporal-polyfill/global";

const used = [
  Array.fromAsync,
  globalThis.Iterator,
  Map.groupBy,
  Promise.withResolvers,
  Set.prototype.union,
  Uint8Array.fromHex,
  URL.parse,
];
if (used.includes(undefined)) createRequire(import.meta.url)("./node_20.cjs");
