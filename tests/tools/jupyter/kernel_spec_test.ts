import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { writeKernelSpec } from "../../../tools/jupyter/kernel_spec.ts";

Deno.test("writeKernelSpec() names the running Deno, and follows it when it moves", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "share", "jupyter", "kernels", "deno", "kernel.json");
  try {
    await writeKernelSpec(folder, "/old/deno");
    await writeKernelSpec(folder, "/new/deno");
    assertEquals(JSON.parse(await Deno.readTextFile(path)), {
      argv: ["/new/deno", "jupyter", "--kernel", "--conn", "{connection_file}"],
      display_name: "Deno",
      language: "typescript",
      env: { NO_COLOR: "1" },
    });
    const names = (await Array.fromAsync(Deno.readDir(join(path, "..")))).map(({ name }) => name);
    assertEquals(names, ["kernel.json"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("writeKernelSpec() keeps an up-to-date file", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "share", "jupyter", "kernels", "deno", "kernel.json");
  try {
    await writeKernelSpec(folder, "/old/deno");
    await Deno.utime(path, 0, 0);
    await writeKernelSpec(folder, "/old/deno");
    assertEquals((await Deno.stat(path)).mtime, new Date(0));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
