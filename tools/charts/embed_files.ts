/**
 * `deno run -A tools/charts/embed_files.ts`: regenerates the renderer and the fonts of PNG charts in
 * `lib/charts/png/`, after their versions in `deno.json` have changed.
 *
 * Text modules are the only form of bytes that loads everywhere without a permission: from JSR, npm or
 * a bundler, in Deno, Node or a browser.
 *
 * @module
 */
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import bold from "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf" with { type: "bytes" };
import regular from "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" with { type: "bytes" };
import license from "dejavu-fonts-ttf/LICENSE" with { type: "text" };
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PROJECT_ROOT } from "../project_root.ts";

/** The files of PNG charts, by their module in `lib/charts/png/`. */
export const EMBEDDED = {
  resvg_wasm: {
    bytes: wasm,
    what: "`index_bg.wasm` of `@resvg/resvg-wasm`, MPL-2.0 (https://github.com/thx/resvg-js)",
  },
  deja_vu_sans: { bytes: regular, what: "`DejaVuSans.ttf`, see `deja_vu_license.txt`" },
  deja_vu_sans_bold: { bytes: bold, what: "`DejaVuSans-Bold.ttf`, see `deja_vu_license.txt`" },
} as const;

if (import.meta.main) await embedFiles();

async function embedFiles(): Promise<void> {
  const folder = join(PROJECT_ROOT, "lib", "charts", "png");
  for (const [name, { bytes, what }] of Object.entries(EMBEDDED)) {
    const text = Buffer.from(gzipSync(bytes, { level: 9 })).toString("base64");
    const module = `/**
 * ${what},
 * gzipped, in base64. Written by \`deno run -A tools/charts/embed_files.ts\`.
 */
export const ${name.toUpperCase()}: string =
  "${text}";
`;
    await Deno.writeTextFile(join(folder, `${name}.ts`), module);
  }
  await Deno.writeTextFile(join(folder, "deja_vu_license.txt"), license);
}
