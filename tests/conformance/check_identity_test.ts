import { assertEquals } from "@std/assert";
import { checkIdentity } from "../../tools/conformance/check_identity.ts";
import { JIT_DEPLOYMENT, jitRecording } from "../jit_recording.ts";

Deno.test("checkIdentity() derives a JIT order from the contract of other orders", async () => {
  const { jitOrder, userOrder } = await jitRecording({ owners: [] });
  assertEquals(await checkIdentity(userOrder), "recovered");
  assertEquals(await checkIdentity(jitOrder), "not derivable");
  assertEquals(await checkIdentity(jitOrder, [JIT_DEPLOYMENT.settlementContract]), "recovered");
});
