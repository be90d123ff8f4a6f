import { assertEquals } from "@std/assert";
import { leftIn } from "../../tools/run_tests.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

Deno.test("leftIn() names files and folders with what tells whose they are, in order", () =>
  withFolder(async (folder) => {
    assertEquals(await leftIn(folder), []);
    await Deno.mkdir(`${folder}/c/raw`, { recursive: true });
    for (const name of ["z.csv", "a.csv", "m.csv"]) {
      await Deno.writeTextFile(`${folder}/c/${name}`, "");
    }
    await Deno.mkdir(`${folder}/b`);
    await Deno.writeTextFile(`${folder}/a.html`, "");
    for (const name of ["chromium", "libEGL.so", "libvulkan.so.1"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    await Deno.symlink(`${folder}/gone`, `${folder}/d`);
    assertEquals(await leftIn(folder), ["a.html", "b/ (empty)", "c/ (a.csv, m.csv, raw)", "d"]);
  }));
