import type { Json, JsonObject } from '@mediagate/contracts';

/** The body with each value at each depth replaced by each wrong kind of value, and with each field left out. */
export function mutations(body: JsonObject): JsonObject[] {
  const wrong: Json[] = [null, true, -1, 1.5, 1e300, 'text', '', [], [null], {}, { a: [] }];
  return paths(body).flatMap((path) => [
    ...wrong.map((value) => replaced(body, path, value)),
    replaced(body, path, undefined),
  ]);
}

function paths(value: Json, prefix: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => {
    const path = [...prefix, key];
    return [path, ...paths((value as Record<string | number, Json>)[key] ?? null, path)];
  });
}

function replaced(body: JsonObject, path: (string | number)[], value: Json | undefined): JsonObject {
  const copy = structuredClone(body);
  let target = copy as Record<string | number, Json>;
  for (const key of path.slice(0, -1)) target = target[key] as Record<string | number, Json>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}
