import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT, readText } from './checkout';
import { renderTemplate } from './helm-template';

/** A Kubernetes object, as far as the tests read it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is checked by its schema.
  spec: any;
}

export type Values = Record<string, unknown>;

export const CHART = 'deploy/helm/mediagate';
export const RELEASE = 'prod';
const HELM = 'helm';

/** The chart's own values with these laid over them, maps merged. */
export function chartValues(changes: Values = {}): Values {
  return merge(parse(readText(`${CHART}/values.yaml`)), changes) as Values;
}

function merge(base: unknown, changes: unknown): unknown {
  if (!isMap(base) || !isMap(changes)) return changes;
  const keys = Object.keys(changes).map((key) => [key, merge(base[key], changes[key])]);
  return { ...base, ...Object.fromEntries(keys) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every object of the chart, ordered by kind and name. */
export function renderChart(changes: Values = {}): Manifest[] {
  const { version, appVersion } = parse(readText(`${CHART}/Chart.yaml`));
  const data = {
    Values: chartValues(changes),
    Release: { Name: RELEASE },
    Chart: { Version: version, AppVersion: appVersion },
  };
  const templates = readdirSync(join(ROOT, CHART, 'templates'));
  return toManifests(
    templates.map((file) => `---\n${renderTemplate(readText(`${CHART}/templates/${file}`), data)}`).join('\n'),
  );
}

export function isHelmInstalled(): boolean {
  return spawnSync(HELM, ['version']).error === undefined;
}

/** The same by Helm itself. */
export function renderWithHelm(changes: Values = {}): Manifest[] {
  const args = ['template', RELEASE, join(ROOT, CHART), '--kube-version', '1.31.0', '--values', '-'];
  const { status, stdout, stderr } = spawnSync(HELM, args, { input: JSON.stringify(changes), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return toManifests(stdout);
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
