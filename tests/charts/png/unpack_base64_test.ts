import { assertEquals } from "@std/assert";
import { unpackBase64 } from "../../../lib/charts/figure/chart.ts";
import { EMBEDDED } from "../../../tools/charts/embed_files.ts";

Deno.test("unpackBase64() unpacks what gzip and base64 packed", async () => {
  // printf 'hello' | gzip -n | base64
  const bytes = await unpackBase64("H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==");
  assertEquals(new TextDecoder().decode(bytes), "hello");
});

for (const [name, { bytes }] of Object.entries(EMBEDDED)) {
  Deno.test(`lib/charts/png/${name}.ts holds the bytes of the package`, async () => {
    const module = await import(`../../../lib/charts/png/${name}.ts`);
    const embedded = await unpackBase64(module[name.toUpperCase()]);
    assertEquals(embedded.length, bytes.length);
    assertEquals(embedded.every((byte, at) => byte === bytes[at]), true);
  });
}
