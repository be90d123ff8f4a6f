import { assertEquals, assertThrows } from "@std/assert";
import { completeManifest, type PackedManifest } from "../../../tools/package/complete_manifest.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const packed: PackedManifest = {
  name: "@a/b",
  version: "1.0.0",
  exports: {},
  dependencies: { "@c/d": "^1.2.3", linkedom: "^0.1.0" },
};
const bin = { orderlens: "./bin/orderlens.js" };

Deno.test("completeManifest() takes versions from the import map, and adds the given fields", () => {
  const configuration = {
    imports: {
      "@c/d": "npm:@c/d@1.2.3",
      linkedom: "npm:linkedom@0.1.2",
      "temporal-polyfill": "npm:temporal-polyfill@1.0.0",
    },
  };
  const additions = { bin, engines: { node: ">=22" } };
  assertEquals<unknown>(completeManifest(packed, { configuration, additions }), {
    ...packed,
    dependencies: { "@c/d": "1.2.3", "temporal-polyfill": "1.0.0" },
    peerDependencies: { linkedom: "0.1.2" },
    peerDependenciesMeta: { linkedom: { optional: true } },
    bin,
    engines: { node: ">=22" },
  });
});

Deno.test("completeManifest() rejects a version range", () => {
  const configuration = { imports: { "@c/d": "npm:@c/d@^1.2.3" } };
  assertThrows(
    () => completeManifest(packed, { configuration, additions: { bin } }),
    TaskError,
    "deno.json names no exact version of @c/d",
  );
});
