const NAMES: Readonly<Record<string, string>> = {
  surplus: "surplus fee",
  volume: "volume fee",
  priceImprovement: "price improvement fee",
  network: "network fee",
};

/**
 * What the fee of a policy is called, such as `partner's volume fee`; `fee` where no kind is given.
 */
export function policyName(kind: unknown, isPartner: boolean | null | undefined): string {
  const named = typeof kind === "string" ? kind : "";
  const name = Object.hasOwn(NAMES, named) ? NAMES[named]! : `${named} fee`.trim();
  return isPartner === true ? `partner's ${name}` : name;
}
