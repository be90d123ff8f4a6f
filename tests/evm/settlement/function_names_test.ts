import { assertEquals } from "@std/assert";
import { settlement } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { findFunctionName } from "../../../lib/evm/settlement/function_names.ts";

Deno.test("findFunctionName() knows selectors as block explorers show them, in any letter case", () => {
  const names = ["0xd505accf", "0x8FCBAF0C", "0xa9059cbb", "0x414bf389", "0x945bcec9"];
  assertEquals(names.map(findFunctionName), [
    "permit",
    "permit",
    "transfer",
    "exactInputSingle",
    "batchSwap",
  ]);
  assertEquals([findFunctionName("0x12345678"), findFunctionName("0x")], [null, null]);
});

Deno.test("findFunctionName() names every interaction of a recorded settlement with hooks", async () => {
  const recording = await replay("ethflow__eth_flow_tx");
  const { interactions } = await settlement(recording, recording.recorded.txHashes[0]!);
  const name = (calls: typeof interactions.pre) =>
    calls.map(({ callData }) => findFunctionName(callData));
  assertEquals(name(interactions.pre), ["wrapAll", "execute"]);
  assertEquals(name(interactions.intra), ["approve", "swapTokensForExactTokens"]);
  assertEquals(name(interactions.post), ["execute"]);
});
