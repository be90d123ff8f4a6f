import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import regular from "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" with { type: "bytes" };
import bold from "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf" with { type: "bytes" };
import { InputError } from "../errors/input_error.ts";

const MAX_SCALE = 10;

let initialized: Promise<void> | undefined;

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
  initialized ??= initWasm(wasm);
  await initialized;
  const resvg = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: { fontBuffers: [regular, bold], defaultFontFamily: "DejaVu Sans" },
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
