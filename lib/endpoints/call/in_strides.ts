/**
 * The same items in another order, so that neighbours are far from each other: the first of each
 * `stride` items, then those after them, and so on.
 */
export function* inStrides<Item>(
  items: readonly Item[],
  stride: number,
): Generator<Item, void, undefined> {
  for (let first = 0; first < stride; first++) {
    for (let place = first; place < items.length; place += stride) yield items[place]!;
  }
}
