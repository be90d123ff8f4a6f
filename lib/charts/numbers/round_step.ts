/** The smallest of 1, 2 and 5 times a power of ten that is not below a width. */
export function roundStep(width: number): number {
  const power = Math.floor(Math.log10(width));
  const steps = [1, 2, 5, 10].map((factor) => Number(`${factor}e${power}`));
  return steps.find((step) => step >= width) ?? width;
}
