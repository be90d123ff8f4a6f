/** The reported location of a test, set for tests that are registered elsewhere. */
const LOCATION = Symbol.for("Deno.test.location");

/**
 * Has a test that a helper registers stand where that helper is called, in reports and failures.
 *
 * @param run The test, which the helper passes to `Deno.test` at once.
 */
export function locateAtCaller<Test extends object>(run: Test): Test {
  // Of this function, of the helper, of its caller.
  const [, , , frame = ""] = new Error().stack?.split("\n") ?? [];
  const [location] = /\w+:\/\/[^()]+:\d+:\d+/.exec(frame) ?? [];
  return location === undefined ? run : Object.assign(run, { [LOCATION]: location });
}

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

/**
 * Loads a module of tests. One that can't be loaded is a test that fails, in place of its tests: those
 * of the modules beside it run.
 *
 * @param url Its address.
 * @param load Imports it.
 */
export async function loadTests(url: string, load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    testExample(`${url.slice(url.lastIndexOf("/") + 1)} is loaded`, `${url}:1:1`, () => {
      throw error;
    });
  }
}
