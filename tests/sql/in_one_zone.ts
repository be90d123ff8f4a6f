/**
 * Tests that depend on the zone of the machine, in one isolate: each of them would load the same again.
 *
 * @module
 */
import "./amounts_test.ts";
import "./result_manifest_test.ts";
import "./times_test.ts";
import "./views_test.ts";
import "./write_test.ts";
