import { assertRejects } from "@std/assert";
import { InputError } from "orderlens";
import { publishIceberg } from "orderlens/datasets";
import { withFolder } from "../sandbox/temp_folder.ts";

Deno.test("publishIceberg() rejects a location that is no URI, or at which two folders have one name", async () => {
  const market = new URL("../../data/datasets/market_1", import.meta.url);
  await withFolder(async (folder) => {
    const publish = (into: string, location: string) => () =>
      publishIceberg(market, `${folder}/${into}`, { location, cacheFolder: folder });
    for (const location of ["", "data", "/data", "s3:data", "s3://"]) {
      const text = `Cannot publish at ${location}: it is no URI`;
      await assertRejects(publish("ice", location), InputError, text);
    }
    const text = "Cannot publish at s3://a/b/: both folders are called market_1";
    await assertRejects(publish("market_1", "s3://a/b/"), InputError, text);
  });
});
