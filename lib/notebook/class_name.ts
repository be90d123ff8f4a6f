/** The class name of `object`; `undefined` for plain objects and anonymous classes. */
export function className(object: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const constructor: unknown = object.constructor;
  return typeof constructor === "function" && constructor.name !== ""
    ? constructor.name
    : undefined;
}
