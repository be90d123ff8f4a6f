import { builtTables } from "./market.ts";

/** Every declared table of the recorded market, built once for all tests of a room. */
export const BUILT = await builtTables();
