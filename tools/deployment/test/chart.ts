import { readdirSync } from 'node:fs';
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

/** Without these the chart does not render: where its image is, and storage that all pods share. */
const REQUIRED = { image: { repository: 'registry.example.com/mediagate' }, media: { claimName: 'media' } };

/** Every object of the chart as Helm renders it, ordered by kind and name. Throws where the values do not fit. */
export function renderChart(changes: Values = {}, release: string = RELEASE, chart = join(ROOT, CHART)): Manifest[] {
  const args = ['template', release, chart, '--kube-version', '1.31.0', '--values', '-'];
  return toManifests(helm(args, JSON.stringify({ ...REQUIRED, ...changes })));
}

/** Renders the notes that Helm prints after an installation. */
export function chartNotes(changes: Values): string {
  const args = ['install', RELEASE, join(ROOT, CHART), '--dry-run=client', '--values', '-'];
  const [, notes = ''] = helm(args, JSON.stringify({ ...REQUIRED, ...changes })).split('\nNOTES:\n');
  return notes;
}

/** Packs the chart into the folder as a release does. Gives the archive's path. */
export function packChart(folder: string): string {
  helm(['package', join(ROOT, CHART), '--destination', folder], '');
  const { name, version } = parse(readText(`${CHART}/Chart.yaml`));
  return join(folder, `${name}-${version}.tgz`);
}

/** Files of the chart that are something else, as symbolic links are: who fetches it from a repository may leave them out. */
export function strangeFiles(): string[] {
  return readdirSync(join(ROOT, CHART), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isFile() && !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
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
