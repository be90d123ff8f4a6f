import { builtTables } from "./market.ts";
// Evaluated before all tables are built, which read them.
import "./settlements/audits.ts";

/** Every declared table of the recorded market, built once for all tests of a room. */
export const BUILT = await builtTables();
