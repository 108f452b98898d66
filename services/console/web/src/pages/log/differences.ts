export interface Difference {
  /** As a path: `limits.per_minute`. */
  field: string;
  /** Undefined: it was not there, or nothing. */
  before: string | undefined;
  after: string | undefined;
}

/** The fields that differ, down to the innermost; of what is new, or gone, all. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((difference) => difference.before !== difference.after);
}

function fieldsOf(state: unknown, path = ''): Map<string, string | undefined> {
  if (typeof state !== 'object' || state === null) return new Map();
  const entries = Object.entries(state).map(([name, value]) => [path + name, value] as const);
  return new Map(
    entries.flatMap(([name, value]) =>
      isObject(value) ? [...fieldsOf(value, `${name}.`)] : [[name, textOf(value)] as const],
    ),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
