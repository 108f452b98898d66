import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT, readText } from './checkout';
import { helm } from './helm';

/** A Kubernetes object, as far as the tests read it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is checked by its schema.
  spec: any;
}

export type Values = Record<string, unknown>;

const CHART = 'deploy/helm/mediagate';
export const RELEASE = 'prod';

/** The chart's own values. */
export function chartValues(): Values {
  return parse(readText(`${CHART}/values.yaml`));
}

/** Storage that all pods share, without which the chart does not render. */
const SHARED = { claimName: 'media' };

/** Every object of the chart as Helm renders it, ordered by kind and name. Throws where the values do not fit. */
export function renderChart(changes: Values = {}, release: string = RELEASE): Manifest[] {
  const args = ['template', release, join(ROOT, CHART), '--kube-version', '1.31.0', '--values', '-'];
  return toManifests(helm(args, JSON.stringify({ media: SHARED, ...changes })));
}

function toManifests(text: string): Manifest[] {
  const order = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  return parseAllDocuments(text)
    .map((document): Manifest | null => {
      const [fault] = document.errors;
      if (fault !== undefined) throw fault;
      return document.toJS();
    })
    .filter((manifest) => manifest !== null)
    .sort((one, two) => (order(one) < order(two) ? -1 : 1));
}
