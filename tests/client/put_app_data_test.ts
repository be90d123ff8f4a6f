import { connect, InputError, MismatchError } from "orderlens";
import { putAppData } from "orderlens/client";
import { assertEquals, assertRejects } from "@std/assert";
import { FakeTransport } from "../endpoints/fake_transport.ts";

const EMPTY_HASH = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
const WRONG = `0x${"99".repeat(32)}`;

function answering(hash: string): FakeTransport {
  const body = JSON.stringify(hash);
  return new FakeTransport(() => ({ status: 201, contentType: "application/json", body }));
}

Deno.test("putAppData() accepts only the document's own hash", async () => {
  const service = answering(WRONG);
  const book = connect(service, { chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
  for (const ask of [() => putAppData(service, "{}"), () => book.registerAppData({})]) {
    const error = await assertRejects(ask, MismatchError);
    assertEquals([error.asked, error.answered], [EMPTY_HASH, WRONG]);
  }
  const upper = answering(`0x${EMPTY_HASH.slice(2).toUpperCase()}`);
  assertEquals((await putAppData(upper, "{}")).created, true);
});

Deno.test("registerAppData() rejects a document that is nested too deeply to be written", async () => {
  const service = answering(EMPTY_HASH);
  const book = connect(service, { chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
  const document = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
  await assertRejects(() => book.registerAppData(document), InputError, "1000 levels deep");
  assertEquals(service.requests, []);
});
