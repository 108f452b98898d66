import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './chart';

/** Where the type of each kind is declared: generated from Kubernetes' and KEDA's own schemas. */
const TYPES: Record<string, [module: string, type: string]> = {
  'apps/v1 Deployment': ['kubernetes-models/apps/v1', 'IDeployment'],
  'networking.k8s.io/v1 NetworkPolicy': ['kubernetes-models/networking.k8s.io/v1', 'INetworkPolicy'],
  'batch/v1 Job': ['kubernetes-models/batch/v1', 'IJob'],
  'v1 ConfigMap': ['kubernetes-models/v1', 'IConfigMap'],
  'v1 Service': ['kubernetes-models/v1', 'IService'],
  'policy/v1 PodDisruptionBudget': ['kubernetes-models/policy/v1', 'IPodDisruptionBudget'],
  'keda.sh/v1alpha1 ScaledObject': ['@kubernetes-models/keda/keda.sh/v1alpha1', 'IScaledObject'],
};

/**
 * What is wrong with the objects by their types: a field that there is not, one that is missing, a text for a number. The
 * schemas allow unknown fields; the types, held against literals, do not, and a misspelt field is the commonest mistake.
 */
export function typeFaults(manifests: readonly Manifest[]): string[] {
  const file = join(__dirname, 'manifests-under-test.ts');
  const source = manifests
    .map((manifest, index) => {
      const [module, type] = TYPES[`${manifest.apiVersion} ${manifest.kind}`] ?? [];
      if (type === undefined) throw new Error(`${manifest.apiVersion} ${manifest.kind} has no type here`);
      return `export const m${index}: import('${module}').${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10, ignoreDeprecations: '6.0' },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, version) =>
    path === file ? ts.createSourceFile(path, source, version) : getSourceFile(path, version);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const line = source.slice(0, start).split('\n').length - 1;
    const { kind, metadata } = manifests[line] ?? { kind: '', metadata: { name: '' } };
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
