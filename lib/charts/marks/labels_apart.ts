/** A label beside an axis from bottom to top. */
export interface PlacedLabel {
  /** What it says. */
  text: string;
  /** Its place on the axis. */
  y: number;
}

/**
 * Moves labels apart so that none overlaps another: up, or down where they would end above `most`.
 *
 * @returns The labels from the lowest to the highest.
 */
export function labelsApart(
  labels: readonly PlacedLabel[],
  { least, most = Infinity }: { least: number; most?: number },
): PlacedLabel[] {
  const moved: PlacedLabel[] = [];
  for (const label of labels.toSorted((a, b) => a.y - b.y)) {
    const below = moved.at(-1)?.y ?? -Infinity;
    moved.push({ ...label, y: Math.max(label.y, below + least) });
  }
  let above = most + least;
  return moved.toReversed().map((label) => {
    above = Math.min(label.y, above - least);
    return { ...label, y: above };
  }).reverse();
}
