import type { JsonObject } from '@mediagate/contracts';

/** A name without letter case, underscores and hyphens: `aspectRatio`, `Aspect-Ratio` and `aspect_ratio` are one. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** The names of an object's properties by their plain names. */
const namesOf = new WeakMap<object, ReadonlyMap<string, string>>();

/** The property that is meant by a name in any spelling, the first of several; undefined: there is none. */
export function findSpelling(properties: Readonly<Record<string, unknown>>, name: string): string | undefined {
  let names = namesOf.get(properties);
  if (names === undefined) {
    names = new Map(
      Object.keys(properties)
        .toReversed()
        .map((own) => [plainName(own), own]),
    );
    namesOf.set(properties, names);
  }
  return names.get(plainName(name));
}

/** False: the value asks for nothing. */
export function isSent(body: JsonObject, name: string): boolean {
  if (!Object.hasOwn(body, name)) return false;
  const value = body[name];
  return (
    value !== undefined &&
    value !== null &&
    value !== false &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
}
