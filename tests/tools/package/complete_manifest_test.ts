import { assertEquals, assertThrows } from "@std/assert";
import { completeManifest, type Manifest } from "../../../tools/package/complete_manifest.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const packed: Manifest = {
  name: "@a/b",
  version: "1.0.0",
  exports: {},
  dependencies: { "@c/d": "^1.2.3" },
};

Deno.test("completeManifest() takes versions from the import map, and adds the given fields", () => {
  const configuration = {
    imports: { "@c/d": "npm:@c/d@1.2.3", "temporal-polyfill": "npm:temporal-polyfill@1.0.0" },
  };
  const additions = { engines: { node: ">=22" } };
  assertEquals<unknown>(completeManifest(packed, { configuration, additions }), {
    ...packed,
    dependencies: { "@c/d": "1.2.3", "temporal-polyfill": "1.0.0" },
    engines: { node: ">=22" },
  });
});

Deno.test("completeManifest() rejects a version range", () => {
  const configuration = { imports: { "@c/d": "npm:@c/d@^1.2.3" } };
  assertThrows(
    () => completeManifest(packed, { configuration, additions: {} }),
    TaskError,
    "deno.json names no exact version of @c/d",
  );
});
