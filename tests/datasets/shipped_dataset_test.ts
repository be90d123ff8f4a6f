import { shippedDatasets } from "orderlens/datasets";
import { assertEquals } from "@std/assert";
import { SHIPPED_FOLDER, writeShipped } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./folder_bytes.ts";

Deno.test("the datasets that ship are exported from their recordings, byte for byte", async () => {
  await withFolder(async (folder) => {
    await writeShipped(folder);
    for (const name of shippedDatasets()) {
      const [made, shipped] = await Promise.all(
        [folder, SHIPPED_FOLDER].map((parent) => folderBytes(`${parent}/${name}`)),
      );
      assertEquals(made, shipped, "Write them again: deno run -A tools/datasets/write_shipped.ts");
    }
  });
});
