import { InputError } from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import { readBytes } from "../../../lib/http/read_body.ts";
import { answers, misbehavingServer } from "../../misbehaving_server.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("readBytes() reads a file by its path and by its URL", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "1 €");
  assertEquals(text(await readBytes(path)), "1 €");
  assertEquals(text(await readBytes(new URL(`file://${path}`))), "1 €");
  await Deno.remove(path);
});

Deno.test("readBytes() reads files over HTTP if the library was loaded over HTTP", async () => {
  await using server = misbehavingServer({
    "/data": answers("1 €"),
    "/none": answers("", { status: 404 }),
  });
  assertEquals(text(await readBytes(new URL(`${server.url}/data`))), "1 €");
  const error = await assertRejects(() => readBytes(new URL(`${server.url}/none`)), InputError);
  assertEquals(
    error.message.replace(server.url, "http://host"),
    "Cannot read http://host/none: HTTP status 404\n" +
      "Fix: Serve the package's `data/` folder next to its `lib/` folder",
  );
});
