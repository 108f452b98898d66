import { parser } from '@prometheus-io/lezer-promql';

export interface NamedSeries {
  metrics: string[];
  /** That are matched, grouped by, or joined on. */
  labels: string[];
  /** Where the text is no PromQL. */
  faults: string[];
}

/** The series and labels that an expression of PromQL names, by Prometheus' own grammar. */
export function namesIn(expression: string): NamedSeries {
  const found: NamedSeries = { metrics: [], labels: [], faults: [] };
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) found.faults.push(`${expression.slice(0, from)}⟪${text}⟫${expression.slice(to)}`);
      else if (type.name === 'Identifier') found.metrics.push(text);
      else if (type.name === 'LabelName') found.labels.push(text);
    },
  });
  return found;
}
