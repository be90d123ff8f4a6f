/** Ticks of a second in which Linux counts the time of processes. */
const TICKS = 100;
/** Fields behind the name: those of user and system time of children that ended. */
const CHILDREN = [13, 14] as const;

/**
 * Sums the processor time of a process's ended children, and of theirs, in seconds.
 *
 * @param stat Text of `/proc/<pid>/stat`, in which the name may have spaces and parentheses.
 */
export function sumChildSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return CHILDREN.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS;
}
