import { connect, MismatchError } from "orderlens";
import { getAppData } from "orderlens/client";
import { hashAppData } from "orderlens/evm";
import { assertEquals, assertRejects } from "@std/assert";
import { FakeTransport } from "../endpoints/fake_transport.ts";

const EMPTY_HASH = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
const HASH = `0x${"12".repeat(32)}`;

function answering(fullAppData: string): FakeTransport {
  return new FakeTransport(() => ({ body: { fullAppData } }));
}

function bookOf(transport: FakeTransport) {
  return connect(transport, { chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
}

Deno.test("getAppData() rejects another document, in particular the empty one", async () => {
  for (const [text, hash] of [["{}", EMPTY_HASH], ["{ }", hashAppData("{ }")]] as const) {
    const service = answering(text);
    for (const ask of [() => getAppData(service, HASH), () => bookOf(service).appData(HASH)]) {
      const error = await assertRejects(ask, MismatchError);
      assertEquals([error.field, error.asked, error.answered], ["hash", HASH, hash]);
    }
  }
});

Deno.test("getAppData() accepts the hash in either case", async () => {
  const upper = `0x${EMPTY_HASH.slice(2).toUpperCase()}`;
  assertEquals(await bookOf(answering("{}")).appData(upper), {});
});
