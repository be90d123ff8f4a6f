/** The name of the class that made `object`; `undefined` for plain objects and nameless classes. */
export function className(object: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const made: unknown = object.constructor;
  return typeof made === "function" && made.name !== "" ? made.name : undefined;
}
