import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { InputError } from "../../errors/input_error.ts";
import { unpackBase64 } from "./unpack_base64.ts";

const MAX_SCALE = 10;

let loadedFonts: Promise<Uint8Array[]> | undefined;

/**
 * Renders an SVG document as a PNG file. resvg draws no text without a font, so it is given one.
 *
 * @throws {InputError} If `scale` is not above 0 and at most 10.
 */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  if (!(scale > 0 && scale <= MAX_SCALE)) {
    throw new InputError(`Cannot render a PNG at scale ${scale}`, {
      remedy: `Pass a scale above 0 and at most ${MAX_SCALE}; 2 suits most screens`,
    });
  }
  const fontBuffers = await (loadedFonts ??= loadRenderer());
  const resvg = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: { fontBuffers, defaultFontFamily: "DejaVu Sans" },
    background: "white",
  });
  const image = resvg.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    resvg.free();
  }
}

/** Starts resvg and gives its fonts. They are large, so they are loaded for the first PNG only. */
async function loadRenderer(): Promise<Uint8Array[]> {
  const [{ RESVG_WASM }, { DEJA_VU_SANS }, { DEJA_VU_SANS_BOLD }] = await Promise.all([
    import("./resvg_wasm.ts"),
    import("./deja_vu_sans.ts"),
    import("./deja_vu_sans_bold.ts"),
  ]);
  await initWasm(await unpackBase64(RESVG_WASM));
  return await Promise.all([DEJA_VU_SANS, DEJA_VU_SANS_BOLD].map(unpackBase64));
}
