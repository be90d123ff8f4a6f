import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { findExamples, mayHoldExamples } from "../../../tools/testing/find_examples.ts";
import { sampleProject } from "./sample_project.ts";

const SOURCE = `
/**
 * Two examples, and blocks that are none.
 *
 * \`\`\`ts
 * const product = 2 * 3;
 *   if (product !== 6) throw new Error("six");
 * \`\`\`
 *
 * \`\`\`
 * not code
 * \`\`\`
 *
 * \`\`\`ts ignore
 * throw new Error("ignored");
 * \`\`\`
 *
 * \`\`\`text
 * nor this
 * \`\`\`
 *
 * \`\`\`js
 * # const hidden = 1;
 * void hidden;
 * \`\`\`
 */
export const first = "lib/**/*.ts";

/* \`\`\`ts
 * throw new Error("not documentation");
 * \`\`\`
 */

  /** \`\`\`typescript
   * void 0;
   * \`\`\` */
export const second = 2;
`;

const PAGE = `# A page

\`\`\`ts
void 0;
\`\`\`

<!--
\`\`\`ts
throw new Error("hidden");
\`\`\`
-->

\`\`\`sh
deno task test
\`\`\`

- in a list

  \`\`\`ts title
  void 1;
  \`\`\`

\`\`\`tsx
void 2;
\`\`\`
`;

Deno.test("findExamples() finds the same examples as deno test --doc", async () => {
  const files = { "lib/mod.ts": SOURCE, "lib/page.md": PAGE, "lib/script.js": SOURCE };
  const root = await sampleProject(files);
  try {
    const { output } = await runQuietly({
      program: Deno.execPath(),
      args: ["test", "--doc", "--no-check", "lib"],
      variables: { NO_COLOR: "1" },
      folder: root,
    });
    const run = [...output.matchAll(/^file:\S*(lib\/\S+) \.\.\. ok/gm)].map(([, name]) => name);
    const found = Object.entries(files).flatMap(([path, text]) => findExamples(path, text));
    assertEquals(found.map(({ name }) => name).toSorted(), run.toSorted(), output);
    assertEquals(found.length, 9);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("findExamples() returns the code and its location", () => {
  const [first, hidden, inline] = findExamples("lib/mod.ts", SOURCE);
  assertEquals(first, {
    name: "lib/mod.ts#5-9.ts",
    path: "lib/mod.ts",
    line: 5,
    code: 'const product = 2 * 3;\n  if (product !== 6) throw new Error("six");\n',
    extension: ".ts",
  });
  assertEquals(hidden?.code, "const hidden = 1;\nvoid hidden;\n");
  assertEquals([inline?.line, inline?.code], [34, "void 0;\n"]);
  const [page] = findExamples("lib/page.md", PAGE);
  assertEquals([page?.name, page?.code], ["lib/page.md#3-6.ts", "void 0;\n"]);
});

Deno.test("findExamples() ignores the kind of line endings", () => {
  for (const [path, text] of [["lib/mod.ts", SOURCE], ["lib/page.md", PAGE]] as const) {
    assertEquals(findExamples(path, text.replaceAll("\n", "\r\n")), findExamples(path, text));
  }
});

Deno.test("mayHoldExamples() is true for sources and Markdown", () => {
  assert(["a.ts", "a.mjs", "a.tsx", join("b", "a.md")].every(mayHoldExamples));
  assert(!["a.json", "a.snap", "a.ipynb", "Makefile"].some(mayHoldExamples));
});
