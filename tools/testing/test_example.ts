/** The reported location of a test, set for tests that are registered elsewhere. */
const LOCATION = Symbol.for("Deno.test.location");

/**
 * Registers an example as a test.
 *
 * @param name Its name.
 * @param location Its location: `file:///…/lib/units/bps.ts:18:1`.
 * @param run Imports its module.
 */
export function testExample(name: string, location: string, run: () => Promise<unknown>): void {
  const fn = async () => {
    await run();
  };
  Deno.test(name, Object.assign(fn, { [LOCATION]: location }));
}
