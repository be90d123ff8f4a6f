/** Process ids of workers, or of another class, whose command line has a mark. */
export async function workerProcesses(
  mark: string,
  name = "CoarseGrainedExecutorBackend",
): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-ww", "-o", "pid=,args="] })
    .output();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.includes(name) && line.includes(mark))
    .map((line) => Number.parseInt(line));
}
