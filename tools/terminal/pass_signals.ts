/**
 * Ends a child when this process gets a signal to end. Ctrl-C reaches every process of a terminal, so the
 * child has it already; a signal to this process alone is passed on.
 *
 * @returns Whether this process got a signal; dispose of it to remove the listeners.
 */
export function passSignals(
  child: Pick<Deno.ChildProcess, "kill">,
): Disposable & { readonly isEnding: boolean } {
  let isEnding = false;
  const end = () => {
    isEnding = true;
    child.kill("SIGTERM");
  };
  const interrupt = () => {
    if (Deno.stdin.isTerminal()) isEnding = true;
    else end();
  };
  const hasTerm = Deno.build.os !== "windows";
  Deno.addSignalListener("SIGINT", interrupt);
  if (hasTerm) Deno.addSignalListener("SIGTERM", end);
  return {
    get isEnding() {
      return isEnding;
    },
    [Symbol.dispose]() {
      Deno.removeSignalListener("SIGINT", interrupt);
      if (hasTerm) Deno.removeSignalListener("SIGTERM", end);
    },
  };
}
