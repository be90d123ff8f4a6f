import { indexCharts } from "../../../tools/gallery/chart_index.ts";

/** The index of charts, drawn once for all tests of it. */
export const DRAWN_INDEX = await indexCharts();
