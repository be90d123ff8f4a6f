import { shippedRecordings } from "../../lib/recordings/mod.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { assert, assertEquals } from "@std/assert";
import { amended } from "./schema.ts";
import { type Difference, DIFFERENCES } from "./differences.ts";
import { ExchangeCheck } from "./exchange_check.ts";
import { AMENDED, PUBLISHED } from "./specification.ts";
import { Validator } from "./validator.ts";
import { checkIdentity } from "../../tools/conformance/check_identity.ts";
import { JIT_DEPLOYMENT, jitRecording } from "../jit_recording.ts";

/** Exchanges of recordings that do not ship whole. */
const SINGLE_EXCHANGES = "exchanges";

const read = new Map<string, Promise<Exchange[]>>();

/** All exchanges of a recording that ships, by its name. */
function recordedExchanges(name: string): Promise<Exchange[]> {
  const path = name === SINGLE_EXCHANGES
    ? `../testdata/openapi/${name}.ndjson`
    : `../../data/recorded/${name}.ndjson.gz`;
  return read.getOrInsertComputed(name, () => readRecording(new URL(path, import.meta.url)));
}

/** What a document forbids of the half of an exchange that proves a difference. */
async function violations(check: ExchangeCheck, { proof, half }: Difference): Promise<string[]> {
  const [name, line] = proof.split(":");
  const exchange = (await recordedExchanges(name!))[Number(line) - 1];
  assert(exchange !== undefined, `there is no exchange ${proof}`);
  return half === "request" ? check.requestViolations(exchange) : check.answerViolations(exchange);
}

Deno.test("DIFFERENCES are proven: each exchange violates the document without its difference, and none with all", async () => {
  const check = new ExchangeCheck(AMENDED);
  assert(DIFFERENCES.length > 0);
  for (const difference of DIFFERENCES) {
    const others = DIFFERENCES.filter((one) => one !== difference);
    // The schemas of the whole document are checked once, above.
    const without = new ExchangeCheck(amended(PUBLISHED, others), { validateSchema: false });
    const named = `${difference.at[0]}, ${difference.proof}`;
    assert((await violations(without, difference)).length > 0, `not needed: ${named}`);
    assertEquals(await violations(check, difference), [], named);
  }
});

Deno.test("every recorded answer conforms to the specification with its differences", async () => {
  const check = new ExchangeCheck(AMENDED);
  let answers = 0;
  for (const name of [...await shippedRecordings(), SINGLE_EXCHANGES]) {
    const times = new Map<string, number>();
    for (const [at, exchange] of (await recordedExchanges(name)).entries()) {
      // So many of an operation, as many of them in the long recordings are alike.
      const kind = `${check.routeOf(exchange)} ${exchange.status}`;
      const time = (times.get(kind) ?? 0) + 1;
      times.set(kind, time);
      if (time > 150) continue;
      assertEquals(check.answerViolations(exchange), [], `${name}:${at + 1}`);
      answers++;
    }
  }
  assert(answers > 4_000, `${answers} answers`);
});

const validator = new Validator(PUBLISHED);

function violationsOf(name: string, value: unknown): string[] {
  return validator.violationsOf(value, {
    schema: { $ref: `#/components/schemas/${name}` },
    at: "body",
  });
}

Deno.test("violationsOf() supports the differences of OpenAPI 3.0 to JSON Schema", () => {
  assertEquals(violationsOf("Volume", { factor: 0.5 }), []);
  assertEquals(violationsOf("Volume", { factor: 1 }), ["body.factor must be < 1"]);
  const data = { userValidTo: 7, refundTxHash: null };
  assertEquals(violationsOf("EthflowData", data), []);
  assertEquals(violationsOf("EthflowData", { ...data, userValidTo: null }), [
    "body.userValidTo must be integer",
  ]);
});

Deno.test("checkIdentity() derives a JIT order from the contract of other orders", async () => {
  const { jitOrder, userOrder } = await jitRecording({ owners: [] });
  assertEquals(await checkIdentity(userOrder), "recovered");
  assertEquals(await checkIdentity(jitOrder), "not derivable");
  assertEquals(await checkIdentity(jitOrder, [JIT_DEPLOYMENT.settlementContract]), "recovered");
});
