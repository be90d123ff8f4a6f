import { assertEquals } from "@std/assert";
import { findPages } from "../../../tools/testing/find_pages.ts";
import { sampleProject } from "./sample_project.ts";

Deno.test("findPages() finds the Markdown files with examples", async () => {
  const root = await sampleProject({
    "README.md": "# Sample\n\n```ts\n1;\n```\n",
    "lib/plain.md": "# Plain\n\n```sh\nls\n```\n",
    "lib/deep/page.md": "# Page\n\n```ts\n2;\n```\n",
    "lib/node_modules/other.md": "```ts\n3;\n```\n",
    "docs/unlisted.md": "```ts\n4;\n```\n",
  });
  try {
    assertEquals(await findPages(root, ["lib", "README.md"]), ["lib/deep/page.md", "README.md"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
