import documents from "../../testdata/evm/app_data.json" with { type: "json" };
import { assertEquals, assertThrows } from "@std/assert";
import { hashAppData } from "orderlens/evm";
import { InputError } from "../../../lib/errors/mod.ts";
import { isAppDataHash } from "../../../lib/evm/orders/app_data.ts";

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

const ZEROS = `0x${"00".repeat(32)}`;

Deno.test("isAppDataHash() accepts the hash that orders sign today", () => {
  for (const { fullAppData, appDataHash, source } of documents) {
    assertEquals(isAppDataHash(appDataHash, fullAppData), true, source);
    assertEquals(isAppDataHash(appDataHash.toUpperCase().replace("X", "x"), fullAppData), true);
    assertEquals(isAppDataHash(appDataHash, `${fullAppData} `), false, source);
  }
});

Deno.test("isAppDataHash() accepts the digest in a document's IPFS address", () => {
  // The document of the SDK's test vector for CID version 0, QmSwrFbdFcryazEr361YmSwtGcN4uo4U5DKpzA4KbGxw4Q.
  const legacy = "0x447320af985c5e834321dc495545f764ad20d8397eeed2f4a2dcbee44a56b725";
  const text = '{"version":"0.7.0","appCode":"CoW Swap","metadata":{}}';
  assertEquals(isAppDataHash(legacy, text), true);
  assertEquals(isAppDataHash(legacy, text.replace("CoW Swap", "CowSwap")), false);
  // `echo "hello world" | ipfs add` gives QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o.
  const hello = "0x46d44814b9c5af141c3aaab7c05dc5e844ead5f91f12858b021eba45768b4c0e";
  assertEquals(isAppDataHash(hello, "hello world\n"), true);
});

Deno.test("isAppDataHash() accepts the zero hash for the empty document only", () => {
  assertEquals(isAppDataHash(ZEROS, "{}"), true);
  assertEquals(isAppDataHash(ZEROS, '{"appCode":"Bot"}'), false);
  assertEquals(isAppDataHash(`0x${"00".repeat(31)}01`, "{}"), false);
});
