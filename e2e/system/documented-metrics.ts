import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the table in docs/metrics.md. */
export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  /** Names of services, and `workers` or `all`. */
  services: string[];
  help: string;
}

/** Metric, type, labels, services, meaning. */
const ROW = /^\| `(mediagate_\w+)` \| (\w+) \|([^|]*)\| ([^|]*) \| ([^|]*) \|$/gm;

export function documentedMetrics(): DocumentedMetric[] {
  const text = readFileSync(join(__dirname, '../../docs/metrics.md'), 'utf8');
  return [...text.matchAll(ROW)].map(([, name = '', type = '', labels = '', services = '', help = '']) => ({
    name,
    type,
    labels: labels.match(/\w+/g) ?? [],
    services: services.split(', '),
    help,
  }));
}
