import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { parse } from 'yaml';
import {
  chartNotes,
  chartValues,
  type Manifest,
  packChart,
  RELEASE,
  renderChart,
  strangeFiles,
  type Values,
} from './chart';
import { ownDrainSeconds, ROOT, readText } from './checkout';
import { REQUIRED_VARIABLES, readComposeFile, rolesOf } from './compose-file';
import { readDockerfile } from './dockerfile';
import type { HttpRoute } from './http-route';
import { schemaFaults } from './manifest-schemas';
import { typeFaults } from './manifest-types';

const EVERYTHING = {
  redisPrefix: 'media',
  env: {
    LOG_LEVEL: 'debug',
    NODE_EXTRA_CA_CERTS: '/etc/ca/ca.pem',
    CHANNEL_ALLOW_ORIGINS: 'http://10.0.0.8:9000,http://models.internal:8000',
  },
  envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
  extraVolumes: [{ name: 'ca', secret: { secretName: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  image: { repository: 'registry.example.com/mediagate', pullSecrets: [{ name: 'registry' }], tag: '2.0.0' },
  media: { claimName: 'media' },
  podLabels: { team: 'media' },
  podAnnotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
  serviceAnnotations: { 'example.com/owner': 'media' },
  deploymentAnnotations: { 'reloader.example.com/auto': 'true' },
  initContainers: [{ name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' }],
  probes: { startup: { failureThreshold: 300 } },
  placement: {
    nodeSelector: { pool: 'media' },
    tolerations: [{ key: 'media', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'paid',
    whenUnsatisfiable: 'DoNotSchedule',
  },
  serviceAccount: { create: true, annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/media' } },
  database: { maxConnections: 600 },
  console: { publicUrl: 'https://console.example.com', trustedProxies: 1 },
  keda: { enabled: true, prometheusAddress: 'https://prometheus.example.com', authenticationName: 'prometheus' },
  podMonitor: { enabled: true, labels: { release: 'prometheus' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' },
    tlsSecretName: 'certificate',
    console: true,
  },
  roles: {
    api: {
      env: { LOG_LEVEL: 'warn' },
      envFrom: [{ secretRef: { name: 'api-only' } }],
      hpa: { enabled: true, minReplicas: 2, maxReplicas: 6, cpuPercent: 70 },
      placement: { nodeSelector: { pool: 'edge' } },
      podAnnotations: { 'example.com/edge': 'yes' },
      serviceAnnotations: { 'example.com/edge': 'yes' },
      deploymentAnnotations: { 'reloader.example.com/auto': 'false' },
      initContainers: [{ name: 'warm-up', image: 'warm-up:1' }],
      probes: { liveness: { timeoutSeconds: 15 } },
      extraVolumes: [{ name: 'edge', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'edge', mountPath: '/edge' }],
    },
  },
  migrate: {
    databaseUrlKey: 'DIRECT_DATABASE_URL',
    secretName: 'mediagate-owner',
    env: { NODE_EXTRA_CA_CERTS: '/etc/ca/ca.pem' },
    podLabels: { 'sidecar.istio.io/inject': 'false' },
    podAnnotations: { 'linkerd.io/inject': 'disabled' },
  },
  backup: { enabled: true, claimName: 'backups', schedule: '0 4 * * *' },
  httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }], console: true },
  networkPolicy: {
    callers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    metrics: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
    operators: [{ podSelector: { matchLabels: { app: 'backoffice' } } }],
    closedRanges: ['10.0.0.0/8', 'fd00::/8'],
    inCluster: [],
    extraEgress: [{ to: [{ ipBlock: { cidr: '169.254.170.23/32' } }], ports: [{ port: 80, protocol: 'TCP' }] }],
    consoleEgress: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
    commandEgress: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
  },
};
const OPENSHIFT = { podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } };
const FROM_FILES = {
  secretName: '',
  consoleSecretName: '',
  env: { DATABASE_URL_FILE: '/run/secrets/mediagate/database-url', REDIS_URL_FILE: '/run/secrets/mediagate/redis-url' },
  extraVolumes: [
    {
      name: 'secrets',
      csi: {
        driver: 'secrets-store.csi.k8s.io',
        readOnly: true,
        volumeAttributes: { secretProviderClass: 'mediagate' },
      },
    },
  ],
  extraVolumeMounts: [{ name: 'secrets', mountPath: '/run/secrets/mediagate', readOnly: true }],
};
const SETTINGS = {
  'as it comes': {},
  'with everything': EVERYTHING,
  'with storage in S3': { media: {}, channels: { channels: [], storage: { driver: 's3' } } },
  'without migration': { migrate: { enabled: false } },
  'without network policies': { networkPolicy: { enabled: false } },
  'without an account of its own': { serviceAccount: { create: false } },
  'on OpenShift': OPENSHIFT,
  'with secrets from files': FROM_FILES,
  'with operators beside callers': { roles: { api: { operatorsPort: null } } },
  'scaled by KEDA as it comes': { keda: { enabled: true } },
};
const cases = Object.entries(SETTINGS);

/** The cluster autoscaler kills what takes longer (`--max-graceful-termination-sec`). */
const AUTOSCALER_SECONDS = 600;
const LONGEST_DRAIN_SECONDS = 565;

const roles = Object.keys(chartValues()['roles'] as object);
const kinds = (manifests: Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const componentOf = ({ metadata }: Manifest) => metadata.labels?.['app.kubernetes.io/component'] ?? '';
const containerOf = ({ spec }: Manifest) => spec.template.spec.containers[0];
/** Finds the pod of a Deployment, a Job or a CronJob; other objects have none. */
const podSpecOf = ({ spec }: Manifest) => {
  const { spec: pod } = (spec?.jobTemplate?.spec ?? spec)?.template ?? {};
  return pod === undefined ? [] : [pod];
};
const variablesOf = (manifest: Manifest): Record<string, string> =>
  Object.fromEntries(containerOf(manifest).env.map(({ name, value }: Record<string, string>) => [name, value]));

describe.each(cases)('the chart, %s', (_name, values) => {
  const manifests = renderChart(values);

  it('fits the schemas of Kubernetes and KEDA', () => {
    expect(schemaFaults(manifests)).toEqual([]);
  });

  it('names each object once', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('runs before its objects are there what needs none of them, as Argo CD and Helm do', () => {
    const isHook = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] !== undefined;
    const later = manifests.filter(
      (manifest) => !isHook(manifest) && /^(ConfigMap|ServiceAccount)$/.test(manifest.kind),
    );
    const hooks = JSON.stringify(manifests.filter(isHook));
    for (const { metadata } of later) expect(hooks).not.toMatch(`"(name|serviceAccountName)":"${metadata.name}"`);
  });
});

it('the chart has no field that Kubernetes and KEDA do not know, and none of another type, in any of these', () => {
  expect(typeFaults(cases.flatMap(([, values]) => renderChart(values)))).toEqual([]);
});

it('the checks have teeth', () => {
  const breakOne = (change: (container: Record<string, unknown>) => void): Manifest[] => {
    const [deployment] = structuredClone(kinds(renderChart(), 'Deployment')) as [Manifest];
    change(containerOf(deployment));
    return [deployment];
  };
  const withChoice = breakOne((container) => Object.assign(container, { imagePullPolicy: 'Sometimes' }));
  const withTypo = breakOne((container) => Object.assign(container, { livenessProb: container['livenessProbe'] }));
  expect(schemaFaults(withChoice).join()).toContain('imagePullPolicy');
  expect(typeFaults(withTypo).join()).toContain('"livenessProb"\' does not exist');
  expect(() => renderChart({ keda: { enable: true } })).toThrow("additional properties 'enable' not allowed");
});

describe('each role', () => {
  const manifests = renderChart();
  const deployments = kinds(manifests, 'Deployment');

  it('is a Deployment of its own: those of Compose, no more and no less', () => {
    const inCompose = rolesOf(readComposeFile(REQUIRED_VARIABLES));
    expect(deployments.map(componentOf).sort()).toEqual(inCompose.map(([name]) => name).sort());
    for (const [name, { command }] of inCompose) {
      const deployment = deployments.find((each) => componentOf(each) === name) as Manifest;
      expect(containerOf(deployment).command).toEqual(command);
    }
  });

  it.each(roles)('%s is probed on its health port', (role) => {
    const container = containerOf(deployments.find((each) => componentOf(each) === role) as Manifest);
    expect(container.livenessProbe).toMatchObject({
      httpGet: { path: '/healthz', port: 'health' },
      timeoutSeconds: 5,
      failureThreshold: 3,
    });
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'health' });
    // A storage that fails takes no polls, texts and refusals from the API.
    const path = role === 'api' ? '/readyz?except=storage' : '/readyz';
    expect(container.readinessProbe.httpGet).toEqual({ path, port: 'health' });
    expect(container.ports[0]).toEqual({
      name: 'health',
      containerPort: Number(readDockerfile().environment['HEALTH_PORT']),
    });
  });

  it.each(roles)('%s has more time to end than it takes to drain', (role) => {
    const deployment = deployments.find((each) => componentOf(each) === role) as Manifest;
    const drainSeconds = Number(variablesOf(deployment)['DRAIN_SECONDS']);
    const beforeSignal = containerOf(deployment).lifecycle?.preStop.sleep.seconds ?? 0;
    const { terminationGracePeriodSeconds } = deployment.spec.template.spec;
    expect(drainSeconds).toBeGreaterThanOrEqual(Math.min(ownDrainSeconds(role), LONGEST_DRAIN_SECONDS));
    expect(terminationGracePeriodSeconds - beforeSignal - drainSeconds).toBeGreaterThanOrEqual(20);
    expect(terminationGracePeriodSeconds).toBeLessThan(AUTOSCALER_SECONDS);
  });

  it.each(roles)('%s is not root, writes nowhere else and has no token of the cluster', (role) => {
    const { spec } = (deployments.find((each) => componentOf(each) === role) as Manifest).spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`).toBe(
      readDockerfile().image.instructions.find(({ kind }) => kind === 'USER')?.text,
    );
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(roles)('%s keeps the paths and ports of the image, and listens on every address', (role) => {
    const { environment } = readDockerfile();
    const container = containerOf(deployments.find((each) => componentOf(each) === role) as Manifest);
    const set = variablesOf(deployments.find((each) => componentOf(each) === role) as Manifest);
    const ofFiles = ['MEDIAGATE_CONFIG', 'MEDIAGATE_HOME', 'FFMPEG_PATH'];
    const names = role === 'console' ? ['HEALTH_PORT'] : ['HEALTH_PORT', ...ofFiles];
    expect(set).toMatchObject(Object.fromEntries(names.map((name) => [name, environment[name]])));
    expect(set).toMatchObject({ HOST: '::', HEALTH_HOST: '::' });
    const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    if (role !== 'console')
      expect(mounted).toEqual(['/tmp', '/etc/mediagate', '/var/lib/mediagate', '/var/lib/mediagate-work']);
  });

  it.each(roles.filter((role) => role !== 'console'))(
    '%s works on files on a disk that has what it may take',
    (role) => {
      const deployment = deployments.find((each) => componentOf(each) === role) as Manifest;
      const { WORK_FOLDER: folder, WORK_FOLDER_MB: megabytes } = variablesOf(deployment);
      const mount = containerOf(deployment).volumeMounts.find(
        ({ mountPath }: { mountPath: string }) => mountPath === folder,
      );
      const volume = deployment.spec.template.spec.volumes.find(({ name }: { name: string }) => name === mount.name);
      expect(volume.emptyDir.medium).toBeUndefined();
      expect(Number.parseInt(volume.emptyDir.sizeLimit, 10)).toBeGreaterThan(Number(megabytes));
    },
  );

  it('survives that a node is drained, one pod at a time', () => {
    const budgets = kinds(manifests, 'PodDisruptionBudget');
    expect(budgets.map(componentOf).sort()).toEqual(roles.filter((role) => role !== 'console').sort());
    for (const { spec } of budgets) expect(spec).toMatchObject({ maxUnavailable: 1 });
  });

  it('finds its pods, and nobody else’s, through every selector', () => {
    const selectors = [...kinds(manifests, 'Service'), ...kinds(manifests, 'PodDisruptionBudget'), ...deployments];
    for (const manifest of selectors) {
      const selector = manifest.spec.selector.matchLabels ?? manifest.spec.selector;
      const chosen = deployments.filter(({ spec }) =>
        Object.entries(selector).every(([label, value]) => spec.template.metadata.labels[label] === value),
      );
      expect(chosen.map(componentOf)).toEqual([componentOf(manifest)]);
    }
  });

  it('gets secrets by reference, the console only its own', () => {
    for (const deployment of deployments) {
      const isConsole = componentOf(deployment) === 'console';
      expect(containerOf(deployment).envFrom).toEqual([
        { secretRef: { name: isConsole ? 'mediagate-console' : 'mediagate' } },
      ]);
    }
    expect(JSON.stringify(manifests)).not.toMatch(/"kind":"Secret"|PASSWORD|PEPPER|LINK_SECRET/);
  });
});

it('pods run as the users of the namespace where the values leave theirs out, as on OpenShift', () => {
  const manifests = renderChart({ ...OPENSHIFT, backup: EVERYTHING.backup });
  const pods = manifests.flatMap(podSpecOf);
  expect(pods).toHaveLength(roles.length + 2);
  for (const { securityContext } of pods)
    expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
});

it('every container may do what the values say', () => {
  const containerSecurityContext = { readOnlyRootFilesystem: false };
  for (const { containers } of renderChart({ containerSecurityContext, backup: EVERYTHING.backup }).flatMap(podSpecOf))
    expect(containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: false,
    });
});

it('secrets come from files where no Secret is named, the migration’s and the backup’s too', () => {
  for (const { containers } of renderChart({ ...FROM_FILES, backup: EVERYTHING.backup }).flatMap(podSpecOf)) {
    const [container] = containers;
    expect(container).not.toHaveProperty('envFrom');
    expect(container.env).toContainEqual({ name: 'DATABASE_URL_FILE', value: FROM_FILES.env.DATABASE_URL_FILE });
    expect(JSON.stringify(container.env)).not.toContain('secretKeyRef');
    expect(container.volumeMounts).toContainEqual(FROM_FILES.extraVolumeMounts[0]);
  }
});

it('the image is the one of a digest, where it is named', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const [deployment] = kinds(
    renderChart({ image: { repository: 'registry.example.com/mediagate', digest } }),
    'Deployment',
  );
  expect(containerOf(deployment as Manifest).image).toBe(`registry.example.com/mediagate@${digest}`);
});

describe('the operators’ API', () => {
  const urlFor = (manifests: Manifest[]) =>
    variablesOf(kinds(manifests, 'Deployment').find((each) => componentOf(each) === 'console') as Manifest)[
      'ADMIN_GATEWAY_URL'
    ];

  it('has a port and a Service of its own, where the console finds it', () => {
    const manifests = renderChart();
    const api = kinds(manifests, 'Deployment').find((each) => componentOf(each) === 'api') as Manifest;
    const port = Number(variablesOf(api)['ADMIN_PORT']);
    expect(containerOf(api).ports).toContainEqual({ name: 'operators', containerPort: port });
    const service = kinds(manifests, 'Service').find(({ metadata }) => metadata.name === `${RELEASE}-operators`);
    expect(service?.spec.ports).toEqual([{ name: 'operators', port, targetPort: 'operators' }]);
    expect(urlFor(manifests)).toBe(`http://${RELEASE}-operators:${port}`);
  });

  it('is at the callers’ port where the values take its own away', () => {
    const manifests = renderChart({ roles: { api: { operatorsPort: null } } });
    expect(urlFor(manifests)).toBe('');
    expect(JSON.stringify(manifests)).not.toContain('operators"');
  });
});

describe('the backup', () => {
  it('runs by its schedule, keeps its files as long as it is told, and removes no others', () => {
    const [{ spec }] = kinds(renderChart(EVERYTHING), 'CronJob') as [Manifest];
    expect(spec).toMatchObject({ schedule: '0 4 * * *', timeZone: 'Etc/UTC', concurrencyPolicy: 'Forbid' });
    const [shell, option, script] = spec.jobTemplate.spec.template.spec.containers[0].command;
    const folder = mkdtempSync(join(tmpdir(), 'mediagate-backup-'));
    const run = (tool: string) =>
      execFileSync(shell, [option, `node() { ${tool}; }; ${script.replaceAll('/backups', folder)}`], {
        encoding: 'utf8',
      });
    mkdirSync(join(folder, 'lost+found'));
    const kept = ['lost+found/mediagate-deep.backup', 'mediagate-new.backup', 'somebody-elses'];
    const files = [...kept, 'mediagate-old.backup', 'mediagate-old.backup.part'];
    const found = () =>
      globSync('**', { cwd: folder })
        .filter((path) => files.includes(path))
        .sort();
    try {
      for (const file of files) writeFileSync(join(folder, file), '');
      for (const file of files.filter((path) => !path.includes('new'))) utimesSync(join(folder, file), 0, 0);
      expect(() => run('false')).toThrow();
      expect(found()).toEqual(files.sort());
      expect(run('echo "$@"')).toMatch(
        /^tools\/cli\/dist\/main\.js backup --try --to \/.*\/mediagate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\n$/,
      );
      expect(found()).toEqual(kept);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('wants a claim, and is not there where it is not asked for', () => {
    expect(() => renderChart({ backup: { enabled: true } })).toThrow('backup.claimName is missing');
    expect(kinds(renderChart(), 'CronJob')).toEqual([]);
  });
});

it('a file of authorities that every role trusts is trusted by the migration', () => {
  const [job] = kinds(renderChart({ env: { NODE_EXTRA_CA_CERTS: '/etc/ca/ca.pem' } }), 'Job') as [Manifest];
  expect(variablesOf(job)['NODE_EXTRA_CA_CERTS']).toBe('/etc/ca/ca.pem');
});

it('the migration is given the URL of its database and nothing else, from a Secret and a key of its own if they are named', () => {
  const variables = (changes: Values) => {
    const { env, envFrom } = containerOf(kinds(renderChart(changes), 'Job')[0] as Manifest);
    expect(envFrom).toBeUndefined();
    return env.filter(({ name }: { name: string }) => name !== 'NODE_EXTRA_CA_CERTS');
  };
  const urlFrom = (name: string, key: string) => [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name, key } } }];
  expect(variables({})).toEqual(urlFrom('mediagate', 'DATABASE_URL'));
  expect(variables({ migrate: { databaseUrlKey: 'DIRECT_DATABASE_URL' } })).toEqual(
    urlFrom('mediagate', 'DIRECT_DATABASE_URL'),
  );
  expect(variables(EVERYTHING)).toEqual(urlFrom('mediagate-owner', 'DIRECT_DATABASE_URL'));
});

it('the console asks each of the others at the name of its health port', () => {
  const manifests = renderChart();
  const deployment = kinds(manifests, 'Deployment').find((each) => componentOf(each) === 'console') as Manifest;
  const urls = variablesOf(deployment)
    ['CONSOLE_HEALTH_URLS']?.split(',')
    .filter((item) => item !== '');
  const others = roles.filter((role) => role !== 'console').sort();
  expect(urls).toEqual(others.map((role) => `${role}=http://${RELEASE}-${role}-health:9090`));
  const services = kinds(manifests, 'Service').map(({ metadata }) => metadata.name);
  for (const role of others) expect(services).toContain(`${RELEASE}-${role}-health`);
});

it('pods are replaced when the channels change, and only then', () => {
  const checksum = (changes: Values) =>
    kinds(renderChart(changes), 'Deployment')[0]?.spec.template.metadata.annotations['checksum/channels'];
  expect(checksum({ channels: { prices: { a: 1 } } })).not.toBe(checksum({}));
  expect(checksum({ env: { LOG_LEVEL: 'debug' } })).toBe(checksum({}));
});

it('the API listens for speech at the port that its policy opens to workers', () => {
  const api = kinds(renderChart(), 'Deployment').find((each) => componentOf(each) === 'api') as Manifest;
  const { containerPort } = containerOf(api).ports.find(({ name }: { name: string }) => name === 'speech');
  expect(variablesOf(api)['SPEECH_LISTEN']).toBe(`[::]:${containerPort}`);
});

it('every pod has a network policy, and none where they are not wanted', () => {
  const policies = (changes: Values) => kinds(renderChart(changes), 'NetworkPolicy');
  const [backup, ...others] = policies({ backup: EVERYTHING.backup }).map(componentOf).sort();
  expect([backup, ...others]).toEqual([...roles, 'backup', 'migrate'].sort());
  expect(policies({ networkPolicy: { enabled: false } })).toEqual([]);
});

describe('KEDA', () => {
  const keda = { keda: { enabled: true }, database: { maxConnections: 600 } };
  const rendered = renderChart(keda);
  const scaled = kinds(rendered, 'ScaledObject');

  it('scales a worker that has a backlog, and then nobody else sets its replicas', () => {
    expect(scaled.map(componentOf).sort()).toEqual([...WORKER_FAMILIES, 'webhook-delivery'].sort());
    for (const deployment of kinds(rendered, 'Deployment')) {
      const isScaled = scaled.some(({ spec }) => spec.scaleTargetRef.name === deployment.metadata.name);
      expect('replicas' in deployment.spec).toBe(!isScaled);
    }
  });

  it('asks for figures that the services have, of this release alone', () => {
    const queries = scaled.flatMap(({ spec }) =>
      spec.triggers.map(({ metadata }: { metadata: { query: string } }) => metadata.query),
    );
    const names = new Set(queries.flatMap((query) => query.match(/mediagate_\w+/g) ?? []));
    const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: ROOT }).map(readText).join('\n');
    expect(names.size).toBeGreaterThan(4);
    for (const name of names) expect(sources).toContain(name.replace(/_(?:sum|count)$/, ''));
    const chosen = queries.flatMap((query) => query.match(/mediagate_\w+\{[^}]*\}/g) ?? []);
    expect(chosen.length).toBeGreaterThan(names.size);
    for (const series of chosen) expect(series).toContain('{namespace="default",pod=~"prod-.*"');
  });

  const maximaWith = (changes: Values) =>
    Object.fromEntries(
      kinds(renderChart({ keda: { enabled: true }, ...changes }), 'ScaledObject').map((each) => [
        componentOf(each),
        each.spec.maxReplicaCount,
      ]),
    );

  it('shares out the connections that the database has, as it comes and with more of them', () => {
    const shared = { image: 5, imgtool: 4, music: 4, tts: 3, video: 4, 'webhook-delivery': 4 };
    expect(maximaWith({})).toEqual(shared);
    expect(maximaWith({ database: { maxConnections: 102 } })).toEqual({ ...shared, tts: 4 });
    const all = { image: 20, imgtool: 10, music: 10, tts: 10, video: 20, 'webhook-delivery': 10 };
    expect(maximaWith({ database: { maxConnections: 600 } })).toEqual(all);
  });

  it('has no more pods, and falls back to no more, than a role may have', () => {
    const image = { replicas: 4, scale: { minReplicas: 1, maxReplicas: 3, workPerReplica: 12, ageSeconds: 30 } };
    const [of] = kinds(renderChart({ keda: { enabled: true }, roles: { image } }), 'ScaledObject') as [Manifest];
    expect(of.spec).toMatchObject({ maxReplicaCount: 3, fallback: { replicas: 3 } });
  });

  it('is not asked for where it is not enabled', () => {
    expect(kinds(renderChart(), 'ScaledObject')).toEqual([]);
  });
});

describe('the sum of connections', () => {
  const fault = (changes: Values) => {
    try {
      renderChart(changes);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is given to every service, without what is kept for others, and fits into PostgreSQL as it comes', () => {
    const deployments = kinds(renderChart(), 'Deployment');
    const sums = deployments.map((deployment) => variablesOf(deployment)['DATABASE_CONNECTIONS']);
    const pools = deployments.map((deployment) => {
      const { API_POOL_SIZE, DATABASE_POOL_SIZE } = variablesOf(deployment);
      return (deployment.spec.replicas + 1) * Number(API_POOL_SIZE ?? DATABASE_POOL_SIZE);
    });
    expect(new Set(sums)).toEqual(new Set([String(pools.reduce((sum, size) => sum + size, 2))]));
    expect(Number(sums[0])).toBeLessThanOrEqual(97);
  });

  it('stops an installation whose maxima exceed what the database accepts, and shows how it was added up', () => {
    const message = fault({ database: { maxConnections: 99 } });
    expect(message).toContain('database.maxConnections is 99, and this deployment may open 100 connections');
    expect(message).toContain(
      'api 3 x 5, console 2 x 3, image 3 x 4, imgtool 2 x 4, music 2 x 4, reconciler 3 x 3, tts 2 x 4',
    );
    expect(message).toContain('migration 2, database.reserved 8');
    const hpa = { enabled: true, minReplicas: 2, maxReplicas: 20, cpuPercent: 70 };
    expect(fault({ roles: { api: { hpa } } })).toContain('api 21 x 5');
  });
});

describe('names', () => {
  const LONGEST = 'an-environment-of-a-customer-with-a-very-long-name-12';
  const namesOf = (release: string) => renderChart({ ...EVERYTHING }, release).map(({ metadata }) => metadata.name);

  it('fit into the labels of Kubernetes and KEDA, however long the release’s name is', () => {
    expect(LONGEST).toHaveLength(53);
    for (const name of namesOf(LONGEST)) expect(name).toMatch(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/);
    const scaled = kinds(renderChart(EVERYTHING, LONGEST), 'ScaledObject');
    for (const { metadata } of scaled) expect(`keda-hpa-${metadata.name}`.length).toBeLessThanOrEqual(63);
  });

  it('differ where only the end of the release’s name does', () => {
    const others = new Set(namesOf(LONGEST.replace(/12$/, '13')));
    expect(namesOf(LONGEST).filter((name) => others.has(name))).toEqual([]);
  });

  it('have no dots, and begin with a letter', () => {
    for (const name of namesOf('eu.prod')) expect(name).toMatch(/^eu-prod-[a-z0-9-]+$/);
    expect(() => renderChart({}, '1st')).toThrow('does not begin with a letter');
  });
});

describe('what an operator sets', () => {
  const manifests = renderChart(EVERYTHING);
  const deployment = (role: string) =>
    kinds(manifests, 'Deployment').find((each) => componentOf(each) === role) as Manifest;

  it('names each variable once, a role’s own before that of every service', () => {
    for (const each of kinds(manifests, 'Deployment')) {
      const names = containerOf(each).env.map(({ name }: { name: string }) => name);
      expect(names.filter((name: string, index: number) => names.indexOf(name) !== index)).toEqual([]);
    }
    expect(variablesOf(deployment('api'))['LOG_LEVEL']).toBe('warn');
    expect(variablesOf(deployment('image'))['LOG_LEVEL']).toBe('debug');
  });

  it('gives every role one prefix of Redis', () => {
    for (const each of kinds(manifests, 'Deployment')) {
      expect([componentOf(each), variablesOf(each)['REDIS_PREFIX']]).toEqual([componentOf(each), 'media']);
    }
  });

  it('gives every role the origins that operators may set channels to, alike', () => {
    const { CHANNEL_ALLOW_ORIGINS: origins } = EVERYTHING.env;
    for (const each of kinds(manifests, 'Deployment')) {
      expect([componentOf(each), variablesOf(each)['CHANNEL_ALLOW_ORIGINS']]).toEqual([componentOf(each), origins]);
    }
  });

  it('scales the API by its processor, and then nobody else sets its replicas', () => {
    const [{ metadata, spec }] = kinds(manifests, 'HorizontalPodAutoscaler') as [Manifest];
    expect(metadata.name).toBe(`${RELEASE}-api`);
    expect(spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: deployment('api').metadata.name,
    });
    const [{ resource }] = spec.metrics;
    expect([spec.minReplicas, spec.maxReplicas, resource.target.averageUtilization]).toEqual([2, 6, 70]);
    expect('replicas' in deployment('api').spec).toBe(false);
  });

  it('annotates pods and services, a role’s own beside those of all, and the account that a cloud gives an identity to', () => {
    const annotationsOf = (role: string) => deployment(role).spec.template.metadata.annotations;
    const service = kinds(manifests, 'Service').find((each) => componentOf(each) === 'api');
    const [account] = kinds(manifests, 'ServiceAccount');
    const { api } = EVERYTHING.roles;
    expect(annotationsOf('image')).toMatchObject(EVERYTHING.podAnnotations);
    expect(annotationsOf('image')).not.toHaveProperty('example.com/edge');
    expect(annotationsOf('api')).toMatchObject({ ...EVERYTHING.podAnnotations, ...api.podAnnotations });
    expect(deployment('image').metadata.annotations).toEqual(EVERYTHING.deploymentAnnotations);
    expect(deployment('api').metadata.annotations).toEqual(api.deploymentAnnotations);
    expect(service?.metadata.annotations).toEqual({ ...EVERYTHING.serviceAnnotations, ...api.serviceAnnotations });
    expect(account?.metadata).toMatchObject({ name: RELEASE, annotations: EVERYTHING.serviceAccount.annotations });
  });

  it('starts containers before and beside those of every pod, the migration’s and the backup’s included', () => {
    for (const { initContainers } of manifests.flatMap(podSpecOf))
      expect(initContainers[0]).toEqual(EVERYTHING.initContainers[0]);
    expect(deployment('api').spec.template.spec.initContainers[1]).toEqual(EVERYTHING.roles.api.initContainers[0]);
  });

  it('keeps what is injected into all pods away from the migration', () => {
    const [{ spec }] = kinds(manifests, 'Job') as [Manifest];
    const { labels, annotations } = spec.template.metadata;
    expect(labels).toMatchObject({ ...EVERYTHING.podLabels, ...EVERYTHING.migrate.podLabels });
    expect(annotations).toEqual({ ...EVERYTHING.podAnnotations, ...EVERYTHING.migrate.podAnnotations });
  });

  it('changes of the probes what is named, for all and for a role', () => {
    const [api, image] = ['api', 'image'].map((role) => containerOf(deployment(role)));
    expect(image.startupProbe).toMatchObject({ periodSeconds: 1, failureThreshold: 300 });
    expect(image.livenessProbe).toMatchObject({ timeoutSeconds: 5 });
    expect(api.livenessProbe).toMatchObject({ periodSeconds: 10, timeoutSeconds: 15, failureThreshold: 3 });
  });

  it('gives a role files of its own', () => {
    const mounts = (role: string) =>
      containerOf(deployment(role)).volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounts('api')).toContain('edge');
    expect(mounts('image')).not.toContain('edge');
  });

  it('serves the API and the console by the Gateway API, and cuts a path off', () => {
    const routes = kinds(manifests, 'HTTPRoute') as HttpRoute[];
    const [api, console] = routes.map(({ spec }) => spec);
    expect([api?.hostnames, console?.hostnames]).toEqual([['media.example.com'], ['console.example.com']]);
    expect(api).toMatchObject({
      parentRefs: EVERYTHING.httpRoute.parentRefs,
      rules: [{ timeouts: { request: '0s' }, backendRefs: [{ name: `${RELEASE}-api`, port: 8080 }] }],
    });
    const { httpRoute } = EVERYTHING;
    const [under] = kinds(
      renderChart({ httpRoute: { ...httpRoute, console: false }, publicBaseUrl: 'https://example.com/media/' }),
      'HTTPRoute',
    );
    const [{ matches, filters }] = under?.spec.rules ?? [];
    expect(matches).toEqual([{ path: { type: 'PathPrefix', value: '/media' } }]);
    expect(filters[0].urlRewrite.path).toEqual({ type: 'ReplacePrefixMatch', replacePrefixMatch: '/' });
  });

  it('puts pods where the role says, and otherwise where all go', () => {
    expect(deployment('api').spec.template.spec.nodeSelector).toEqual({ pool: 'edge' });
    expect(deployment('image').spec.template.spec).toMatchObject({
      nodeSelector: { pool: 'media' },
      tolerations: EVERYTHING.placement.tolerations,
      priorityClassName: 'paid',
      serviceAccountName: RELEASE,
    });
    const spread = deployment('image').spec.template.spec.topologySpreadConstraints;
    expect(spread.map(({ whenUnsatisfiable }: { whenUnsatisfiable: string }) => whenUnsatisfiable)).toEqual([
      'DoNotSchedule',
      'DoNotSchedule',
    ]);
  });

  it('gives a role variables of its own Secret, and the console none of the others’', () => {
    const sources = (role: string) => containerOf(deployment(role)).envFrom.slice(1);
    expect(sources('api')).toEqual([...EVERYTHING.envFrom, { secretRef: { name: 'api-only' } }]);
    expect(sources('console')).toEqual([]);
  });

  it('mounts its files in every pod, the migration’s included', () => {
    for (const each of [...kinds(manifests, 'Deployment'), ...kinds(manifests, 'Job')]) {
      expect(containerOf(each).volumeMounts).toContainEqual(EVERYTHING.extraVolumeMounts[0]);
      expect(each.spec.template.spec.volumes).toContainEqual(EVERYTHING.extraVolumes[0]);
    }
  });

  it('says after an installation what it is, how it is reached, and how far KEDA scales', () => {
    const notes = chartNotes(EVERYTHING);
    expect(notes).toContain('Service prod-api, which callers reach at https://media.example.com');
    expect(notes).toContain('image: 20 of 20 pods');
    expect(notes).toContain('`channels.channels` is empty');
    expect(notes).not.toContain('port-forward');
    expect(chartNotes({})).toContain('port-forward service/prod-console 8081');
  });

  it('serves the API and the console at their hosts', () => {
    const rules = kinds(manifests, 'Ingress').map(({ spec }) => spec.rules[0]);
    expect(rules.map(({ host }) => host)).toEqual(['media.example.com', 'console.example.com']);
    expect(rules[0].http.paths).toEqual([
      { path: '/', pathType: 'Prefix', backend: { service: { name: `${RELEASE}-api`, port: { name: 'http' } } } },
    ]);
    const [under] = kinds(
      renderChart({ ingress: { enabled: true }, publicBaseUrl: 'https://example.com:8443/media/' }),
      'Ingress',
    );
    expect(under?.spec.rules[0]).toMatchObject({ host: 'example.com', http: { paths: [{ path: '/media' }] } });
  });

  it('has every pod’s metrics gathered', () => {
    const [{ spec }] = kinds(manifests, 'PodMonitor') as [Manifest];
    const labels = Object.entries(spec.selector.matchLabels);
    for (const each of kinds(manifests, 'Deployment')) {
      for (const [label, value] of labels) expect(each.spec.template.metadata.labels[label]).toBe(value);
    }
    expect(spec.podMetricsEndpoints).toEqual([{ port: 'health', path: '/metrics', interval: '15s' }]);
  });
});

describe('monitoring', () => {
  const MONITORING = {
    prometheusRule: { enabled: true, runbooks: 'https://git.example.com/runbooks/' },
    dashboard: { enabled: true },
  };
  const brought = renderChart(MONITORING);

  it('is in the archive, and for those who fetch the chart from a repository without its links', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediagate-chart-'));
    try {
      expect(renderChart(MONITORING, RELEASE, packChart(folder))).toEqual(brought);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(strangeFiles()).toEqual([]);
  });

  it('brings every rule for alerts, each with its runbook where the values say', () => {
    const [{ spec }] = kinds(brought, 'PrometheusRule') as [Manifest];
    const shipped = readText('deploy/helm/mediagate/files/alerts.yaml').replaceAll(
      'docs/runbooks/',
      'https://git.example.com/runbooks/',
    );
    const namesNoNamespace = JSON.stringify(spec).replaceAll(/\{namespace=\\"default\\"(?:, )?/g, '{');
    expect(JSON.parse(namesNoNamespace.replaceAll('{}', ''))).toEqual(parse(shipped));
  });

  it('brings the dashboard to whom its label is for', () => {
    const dashboard = kinds(brought, 'ConfigMap').find(({ metadata }) => metadata.name.endsWith('-dashboard'));
    expect(dashboard?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    const { data } = dashboard as unknown as { data: Record<string, string> };
    expect(data).toEqual({ 'mediagate.json': readText('deploy/helm/mediagate/files/dashboard.json').trimEnd() });
  });

  it('is there only where it is asked for', () => {
    const names = renderChart().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name) => /PrometheusRule|dashboard/.test(name))).toEqual([]);
  });
});

describe('a mistake in the values is refused by its name', () => {
  const MISTAKES: [Values, string][] = [
    [{ ingres: {} }, "'ingres'"],
    [{ image: { tags: '1' } }, "'tags'"],
    [{ image: { pullPolicy: 'Sometimes' } }, '/image/pullPolicy'],
    [{ publicBaseUrl: 'media.example.com' }, '/publicBaseUrl'],
    [{ secretName: 'Has_Capitals' }, '/secretName'],
    [{ image: {} }, 'image.repository is missing'],
    [{ image: { digest: 'latest' } }, '/image/digest'],
    [{ roles: { api: { env: { ADMIN_PORT: 9000 } } } }, 'env of api sets ADMIN_PORT'],
    [{ initContainers: [{ name: 'proxy' }] }, '/initContainers/0'],
    [{ probes: { livenes: {} } }, "'livenes'"],
    [{ probes: { liveness: { httpGet: {} } } }, "'httpGet'"],
    [{ tmp: { sizeMb: '2Gi' } }, '/tmp/sizeMb'],
    [{ backup: { enabled: true, claimName: 'a', schedule: 'daily' } }, '/backup/schedule'],
    [{ httpRoute: { enabled: true } }, '/httpRoute/parentRefs'],
    [{ networkPolicy: { redisPort: 6380 } }, "'redisPort'"],
    [{ networkPolicy: { closedRanges: ['10.0.0.0'] } }, '/networkPolicy/closedRanges/0'],
    [{ media: { claim: 'media' } }, "'claim'"],
    [{ media: {} }, 'media.claimName names no ReadWriteMany claim'],
    [{ media: {}, channels: { channels: [] } }, 'media.claimName names no ReadWriteMany claim'],
    [{ env: { 'log-level': 'debug' } }, "'log-level'"],
    [{ env: { HEALTH_PORT: 1 } }, 'HEALTH_PORT, which the chart sets itself'],
    [{ roles: { image: { env: { DATABASE_POOL_SIZE: 50 } } } }, 'env of image sets DATABASE_POOL_SIZE'],
    [{ envFrom: [{ secret: { name: 'a' } }] }, '/envFrom/0'],
    [{ extraVolumeMounts: [{ name: 'ca', mountPath: 'etc/ca' }] }, '/extraVolumeMounts/0/mountPath'],
    [{ placement: { nodeselector: {} } }, "'nodeselector'"],
    [{ placement: { tolerations: [{ key: 'a', effect: 'Never' }] } }, '/placement/tolerations/0/effect'],
    [{ serviceAccount: { create: 'yes' } }, '/serviceAccount/create'],
    [{ database: { maxConnections: 'many' } }, '/database/maxConnections'],
    [{ roles: { apii: { replicas: 1, drainSeconds: 1, resources: {} } } }, "'apii'"],
    [{ roles: { api: { replica: 3 } } }, "'replica'"],
    [{ roles: { api: { replicas: -1 } } }, '/roles/api/replicas'],
    [{ roles: { api: { resources: { limits: { memory: 'lots' } } } } }, '/roles/api/resources/limits/memory'],
    [{ roles: { api: { resources: { limit: {} } } } }, "'limit'"],
    [
      { roles: { api: { hpa: { enabled: true, minReplicas: 3, maxReplicas: 2, cpuPercent: 70 } } } },
      'roles.api.hpa.minReplicas is larger',
    ],
    [{ roles: { image: { scale: { queue: 'image' } } } }, "'queue'"],
    [{ networkPolicy: { enabled: true, callers: [{ cidr: '10.0.0.0/8' }] } }, '/networkPolicy/callers/0'],
    [{ keda: { enabled: true, redisAddress: 'redis:6379' } }, "'redisAddress'"],
    [{ keda: { enabled: true, prometheusAddress: 'prometheus:9090' } }, '/keda/prometheusAddress'],
    [{ podMonitor: { enabled: true, interval: '15s' } }, "'interval'"],
    [{ ingress: { enabled: true, host: 'example.com' } }, "'host'"],
    [{ ingress: { enabled: true, console: true } }, 'ingress.console needs console.publicUrl'],
    [{ migrate: { databaseUrlKey: '' } }, '/migrate/databaseUrlKey'],
    [{ console: { publicUrl: 'console.example.com' } }, '/console/publicUrl'],
  ];

  it.each(MISTAKES)('%j', (values, word) => {
    expect(() => renderChart(values)).toThrow(word);
  });
});
