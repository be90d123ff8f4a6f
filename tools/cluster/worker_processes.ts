/** Process ids of the workers whose command line has a mark. */
export async function workerProcesses(mark: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-ww", "-o", "pid=,args="] })
    .output();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.includes("CoarseGrainedExecutorBackend") && line.includes(mark))
    .map((line) => Number.parseInt(line));
}
