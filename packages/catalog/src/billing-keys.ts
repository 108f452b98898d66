/** The dimensions that a price may depend on beside the action; absent ones add nothing to a key. */
interface Dimensions {
  version?: string | undefined;
  speed?: string | undefined;
}

/** Keys of one action of a model, most specific first: `m@a-v7-fast`, `m@a-v7`, `m@a-fast`, `m@a`, `m`. */
export function billingKeys(model: string, action: string, { version, speed }: Dimensions = {}): string[] {
  const key = (...parts: (string | undefined)[]) =>
    parts.includes(undefined) ? [] : [`${model}@${[action, ...parts].join('-')}`];
  return [...key(version, speed), ...key(version), ...key(speed), ...key(), model];
}

/** Every key that inputs with any of these may be billed under. */
export function allBillingKeys(
  model: string,
  action: string,
  { versions = [], speeds = [] }: { versions?: readonly string[]; speeds?: readonly string[] } = {},
): string[] {
  const all = [undefined, ...versions].flatMap((version) =>
    [undefined, ...speeds].flatMap((speed) => billingKeys(model, action, { version, speed })),
  );
  return [...new Set(all)];
}

/** The part of a price list that these keys can reach. */
export function pricesOf(known: readonly string[], list: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(list).filter(([key]) => known.includes(key)));
}
