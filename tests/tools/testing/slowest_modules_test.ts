import { assertAlmostEquals, assertEquals } from "@std/assert";
import { slowestModules } from "../../../tools/testing/slowest_modules.ts";

/** As Deno 2.9.6 writes it. */
const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="6" failures="1" errors="0" time="3.000">
    <testsuite name="./tests/units/bps_test.ts" tests="2" disabled="0" errors="0" failures="1">
        <testcase name="bps() &gt; 0" classname="./tests/units/bps_test.ts" time="0.250" line="3" col="6">
        </testcase>
        <testcase name="bps() of none" classname="./tests/units/bps_test.ts" time="0.500" line="9" col="6">
            <failure message="Uncaught Error: time=&quot;9&quot;">Error: time=&quot;9&quot;</failure>
        </testcase>
    </testsuite>
    <testsuite name="./tests/charts/draw_test.ts" tests="3" disabled="0" errors="0" failures="0">
        <testcase name="draws" classname="./tests/charts/draw_test.ts" time="2.000" line="3" col="6">
        </testcase>
        <testcase name="draws &gt; nothing" classname="./tests/charts/draw_test.ts" time="1.000" line="4" col="6">
        </testcase>
        <testcase name="draws &gt; nothing &gt; at all" classname="./tests/charts/draw_test.ts" time="1.000" line="5" col="6">
        </testcase>
    </testsuite>
    <testsuite name="./lib/units/bps.ts" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="lib/units/bps.ts#18-24.ts" classname="./lib/units/bps.ts" time="0.001" line="18" col="1">
        </testcase>
    </testsuite>
</testsuites>
`;

Deno.test("slowestModules() sums the tests per module, without counting steps twice", () => {
  const [first, second, third] = slowestModules(REPORT, 10);
  assertEquals([first, third], [
    { module: "tests/charts/draw_test.ts", sec: 2 },
    { module: "lib/units/bps.ts", sec: 0.001 },
  ]);
  assertEquals(second?.module, "tests/units/bps_test.ts");
  assertAlmostEquals(second?.sec ?? 0, 0.75);
});

Deno.test("slowestModules() returns the requested number", () => {
  assertEquals(slowestModules(REPORT, 1).map(({ module }) => module), [
    "tests/charts/draw_test.ts",
  ]);
  assertEquals(slowestModules("", 10), []);
});
