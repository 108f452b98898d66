/** Samples of one `/metrics` answer, summed over their labels: the console shows totals of a process. */
export type MetricTotals = ReadonlyMap<string, number>;

/** `name value` or `name{label="text"} value`, with a time behind it at times. */
const SAMPLE = /^([A-Za-z_:][A-Za-z0-9_:]*)(?:\{.*\})? (\S+)(?: -?\d+)?$/;

/** Reads the Prometheus text format. What is no finite number is left out. */
export function parseMetrics(text: string): MetricTotals {
  const totals = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) continue;
    totals.set(name, (totals.get(name) ?? 0) + Number(value));
  }
  return totals;
}
