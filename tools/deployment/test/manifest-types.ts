import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './chart';
import { ROOT } from './checkout';

/** Where the type of each kind is declared: generated from Kubernetes' and KEDA's own schemas, but for that of the Gateway API. */
const TYPES: Record<string, [module: string, type: string]> = {
  'apps/v1 Deployment': ['kubernetes-models/apps/v1', 'IDeployment'],
  'autoscaling/v2 HorizontalPodAutoscaler': ['kubernetes-models/autoscaling/v2', 'IHorizontalPodAutoscaler'],
  'networking.k8s.io/v1 Ingress': ['kubernetes-models/networking.k8s.io/v1', 'IIngress'],
  'networking.k8s.io/v1 NetworkPolicy': ['kubernetes-models/networking.k8s.io/v1', 'INetworkPolicy'],
  'batch/v1 CronJob': ['kubernetes-models/batch/v1', 'ICronJob'],
  'batch/v1 Job': ['kubernetes-models/batch/v1', 'IJob'],
  'gateway.networking.k8s.io/v1 HTTPRoute': ['../../../test/http-route', 'HttpRoute'],
  'v1 ConfigMap': ['kubernetes-models/v1', 'IConfigMap'],
  'v1 Service': ['kubernetes-models/v1', 'IService'],
  'v1 ServiceAccount': ['kubernetes-models/v1', 'IServiceAccount'],
  'policy/v1 PodDisruptionBudget': ['kubernetes-models/policy/v1', 'IPodDisruptionBudget'],
  'keda.sh/v1alpha1 ScaledObject': ['@kubernetes-models/keda/keda.sh/v1alpha1', 'IScaledObject'],
  'monitoring.coreos.com/v1 PodMonitor': [
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    'IPodMonitor',
  ],
  'monitoring.coreos.com/v1 PrometheusRule': [
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    'IPrometheusRule',
  ],
};
/** Inside the package, so that the types are found from there. */
const FOLDER = join(ROOT, 'tools/deployment/node_modules/.cache/manifest-types');
const FILE = 'manifests.ts';
const OPTIONS = ['--ignoreConfig', '--strict', '--noEmit', '--skipLibCheck', '--module', 'node20', '--pretty', 'false'];
/** `manifests.ts(<line>,<column>): error TS<number>: <message>`; further lines of a message are indented. */
const FAULT = /^manifests\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n\s.*)*)/gm;

/**
 * Faults of the objects by their types: a field that there is not, one that is missing, a text for a number. The
 * schemas allow unknown fields; the types, held against literals, do not, and a misspelt field is the commonest mistake.
 */
export function typeFaults(manifests: readonly Manifest[]): string[] {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, FILE), manifests.map(declaration).join('\n'));
  const { status, stdout, stderr, error } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...OPTIONS, FILE], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  const faults = [...stdout.matchAll(FAULT)].map(([, line, message = '']) => {
    const { kind, metadata } = manifests[Number(line) - 1] ?? { kind: '', metadata: { name: '' } };
    return `${kind} ${metadata.name}: ${message.replace(/\s+/g, ' ')}`;
  });
  if (status !== 0 && faults.length === 0) throw new Error(stdout + stderr);
  return faults;
}

function declaration(manifest: Manifest, index: number): string {
  const [module, type] = TYPES[`${manifest.apiVersion} ${manifest.kind}`] ?? [];
  if (type === undefined) throw new Error(`${manifest.apiVersion} ${manifest.kind} has no type here`);
  return `export const m${index}: import('${module}').${type} = ${JSON.stringify(manifest)};`;
}
