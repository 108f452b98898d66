/** Samples of one `/metrics` answer, summed over their labels: the console shows totals of a process. Those with a label stand by themselves, too. */
export type MetricTotals = ReadonlyMap<string, number>;

/** `name value` or `name{label="text"} value`, with a time behind it at times. */
const SAMPLE = /^([A-Za-z_:][A-Za-z0-9_:]*)(\{.*\})? (\S+)(?: -?\d+)?$/;

/** Reads the Prometheus text format. A total of which a part is not known is NaN. */
export function parseMetrics(text: string): MetricTotals {
  const totals = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, labels, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) continue;
    totals.set(name, (totals.get(name) ?? 0) + Number(value));
    if (labels !== undefined) totals.set(name + labels, Number(value));
  }
  return totals;
}
