const RECURSION_LIMIT = 200;

/** Whether a value has the key `__proto__` anywhere; both paths reject such bodies. */
export function hasProtoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && hasProtoKeyBelow(value, 0);
}

function hasProtoKeyBelow(value: object, depth: number): boolean {
  if (depth > RECURSION_LIMIT) return hasProtoKeyFarBelow(value);
  // The keys of a JSON list are its indices, each of which for-in would convert to text.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner: unknown = value[index];
      if (typeof inner !== "object" || inner === null) continue;
      if (hasProtoKeyBelow(inner, depth + 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    if (key === "__proto__") return true;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner !== "object" || inner === null) continue;
    if (hasProtoKeyBelow(inner, depth + 1)) return true;
  }
  return false;
}

/** The same without recursion, for values nested deeper than any valid body. */
function hasProtoKeyFarBelow(value: object): boolean {
  const pending: object[] = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (Object.hasOwn(one, "__proto__")) return true;
    for (const inner of Object.values(one)) {
      if (typeof inner === "object" && inner !== null) pending.push(inner);
    }
  }
  return false;
}
