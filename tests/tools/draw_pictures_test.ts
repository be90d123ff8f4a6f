import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { drawPictures } from "../../tools/draw_pictures.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";

Deno.test("drawPictures() writes the example of a chart as PNG", async () => {
  const path = join("build", "pictures", "settlementOutcomes.png");
  assertEquals(await drawPictures(["settlementOutcomes"]), [path]);
  const bytes = await Deno.readFile(join(PROJECT_ROOT, path));
  assertEquals([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
});

Deno.test("drawPictures() names the file of an example that is missing, and the others", async () => {
  const { message } = await assertRejects(() => drawPictures(["noSuchChart"]), TaskError);
  assert(message.startsWith("There is no example tools/gallery/charts/noSuchChart.ts: add it"));
  assert(message.includes("winMargin") && !message.includes("market"));
});
