// deno-lint-ignore-file no-console -- a task speaks on the console
/**
 * Measures what the project claims, as ratios in one run; `deno task bench [part of a name]`.
 *
 * @module
 */
import { decodingComparisons } from "./decoding.ts";
import { type MeasuredRatio, measureRatio, medianOf } from "./ratio.ts";

function print(measured: MeasuredRatio): boolean {
  const { name, bar, ratios, milliseconds: [reference, own] } = measured;
  const median = medianOf(ratios);
  const isGood = median <= bar;
  const range = `${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`;
  console.log(
    `${isGood ? "ok  " : "OVER"} ${name}: ${median.toFixed(2)} times (${range}), bar ` +
      `${bar.toFixed(1)}; ${own.toFixed(1)} ms against ${reference.toFixed(1)} ms`,
  );
  return isGood;
}

if (import.meta.main) {
  const [part = ""] = Deno.args;
  const comparisons = (await decodingComparisons()).filter(({ name }) => name.includes(part));
  let over = 0;
  for (const comparison of comparisons) {
    if (!print(measureRatio(comparison))) over++;
  }
  console.log(`${comparisons.length} ratios, ${over} over their bar`);
  Deno.exit(over === 0 ? 0 : 1);
}
