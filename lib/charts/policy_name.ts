const NAMES: Readonly<Record<string, string>> = {
  surplus: "surplus fee",
  volume: "volume fee",
  priceImprovement: "price improvement fee",
  network: "network fee",
};

/** What the fee of a policy is called, as `partner's volume fee`; `fee` where none is named. */
export function policyName(
  kind: string | null | undefined,
  isPartner: boolean | null | undefined,
): string {
  const name = kind && Object.hasOwn(NAMES, kind) ? NAMES[kind]! : `${kind ?? ""} fee`.trim();
  return isPartner === true ? `partner's ${name}` : name;
}
