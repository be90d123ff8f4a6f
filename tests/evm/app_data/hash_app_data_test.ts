import { hashAppData } from "orderlens/evm";
import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import documents from "../../testdata/evm/app_data.json" with { type: "json" };

Deno.test("hashAppData() returns the hashes of clients and service", () => {
  for (const { fullAppData, appDataHash, source } of documents) {
    assertEquals(hashAppData(fullAppData), appDataHash, source);
  }
});

Deno.test("hashAppData() hashes the UTF-8 bytes of the text", () => {
  // keccak256 of the bytes e2 82 ac, computed with an independent implementation.
  assertEquals(
    hashAppData("€"),
    "0xe35642152f35c02fe26ab99f4361ed8835f18f79f916ade14e661e460be36839",
  );
});

Deno.test("hashAppData() rejects text that has no UTF-8 encoding", () => {
  assertThrows(() => hashAppData('{"appCode":"\ud83d"}'), InputError, "an unpaired surrogate");
  assertThrows(
    () => hashAppData({ appCode: "x" } as unknown as string),
    InputError,
    "Cannot hash app data that is object, not text",
  );
});
