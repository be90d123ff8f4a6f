// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Mutates recorded bodies at random and checks that each is rejected or round-trips;
 * `deno task fuzz [--runs 1000000] [--seed 1] [folder]`.
 *
 * @module
 */
import type { WireKind } from "orderlens/schemas";
import { parseArgs } from "node:util";
import { readRecordedBodies } from "./conformance/recorded_bodies.ts";
import { findBrokenPromise } from "./fuzz/check_decoding.ts";
import { createRandom, mutateBody } from "./fuzz/mutate_body.ts";

const USAGE = `Usage: deno task fuzz [--runs 1000000] [--seed 1] [folder]

Mutates recorded bodies at random (up to four changes each) and checks that each is rejected with a
DecodeError or round-trips. The folder is data/recorded unless another is given.`;

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log(USAGE);
  Deno.exit(0);
}

const runs = Number(values.runs);
const seed = Number(values.seed);
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error(`--runs and --seed must be whole numbers, not ${values.runs} and ${values.seed}`);
  Deno.exit(2);
}

const folder = positionals[0] ?? new URL("../data/recorded", import.meta.url).pathname;
const byKind = new Map<WireKind, unknown[]>();
for await (const recorded of readRecordedBodies(folder)) {
  if (!("holds" in recorded)) continue;
  const { holds: { kind, isList }, body } = recorded;
  const bodies = byKind.get(kind) ?? [];
  byKind.set(kind, bodies);
  if (isList && Array.isArray(body)) bodies.push(...body);
  else bodies.push(body);
}
const kinds = [...byKind].filter(([, bodies]) => bodies.length > 0);
const random = createRandom(seed);
let broken = 0;
const start = performance.now();
for (let run = 1; run <= runs && broken < 20; run++) {
  const [kind, bodies] = kinds[random(kinds.length)]!;
  let body = bodies[random(bodies.length)];
  for (let changes = random(4) + 1; changes > 0; changes--) body = mutateBody(random, body);
  const promise = findBrokenPromise(kind, body);
  if (promise !== undefined) {
    broken++;
    console.log(`BROKEN ${kind}: ${promise}\n  ${JSON.stringify(body).slice(0, 2_000)}`);
  }
  if (run % 100_000 === 0) {
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    console.error(`${run} of ${runs} bodies, ${broken} broken, ${seconds} s`);
  }
}
console.log(`${runs} mutated bodies of ${kinds.length} kinds, seed ${seed}: ${broken} broken`);
Deno.exit(broken === 0 ? 0 : 1);
