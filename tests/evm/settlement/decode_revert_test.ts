import { decodeRevert } from "orderlens/evm";
import { assertEquals } from "@std/assert";

const word = (digits: string) => digits.padStart(64, "0");
const text = (words: string) => {
  const hex = [...words].map((letter) => letter.charCodeAt(0).toString(16)).join("");
  return word(words.length.toString(16)) + hex.padEnd(64 * Math.ceil(hex.length / 64), "0");
};

Deno.test("decodeRevert() reads texts, panics and errors of tokens by their selectors", () => {
  const owner = "0d".repeat(20);
  const rows: readonly [data: string, name: string | null, text: string][] = [
    [`08c379a0${word("20")}${text("GPv2: order filled")}`, "Error", "GPv2: order filled"],
    [
      `4e487b71${word("11")}`,
      "Panic",
      "a panic of the contract: an arithmetic overflow or underflow",
    ],
    [`4e487b71${word("51")}`, "Panic", "a panic of the contract: code 81"],
    [
      `fb8f41b2${word(owner)}${word("0")}${word("de0b6b3a7640000")}`,
      "ERC20InsufficientAllowance",
      `ERC20InsufficientAllowance: spender 0x${owner}, allowance 0, needed 1000000000000000000`,
    ],
    [
      `7e334637${word("6b49d200")}${word("40")}${text("too early")}`,
      "PollTryAtEpoch",
      "PollTryAtEpoch: timestamp 1800000000, reason too early",
    ],
    ["7a933234", "SingleOrderNotAuthed", "SingleOrderNotAuthed"],
    ["7939f424", "TransferFromFailed", "TransferFromFailed"],
    ["", null, "no reason: it returned no data"],
    ["12345678", null, "the unknown error 0x12345678"],
    // A text that ends before its length.
    [`08c379a0${word("20")}${word("ff")}`, null, "the unknown error 0x08c379a0"],
    ["ab", null, "the unknown error 0xab"],
  ];
  for (const [digits, name, words] of rows) {
    const data = `0x${digits}`;
    assertEquals(decodeRevert(data), { name, text: words, data });
  }
  const long = decodeRevert(`0x08c379a0${word("20")}${text("x".repeat(301))}`);
  assertEquals(long.text, `${"x".repeat(300)}…`);
});
