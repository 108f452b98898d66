import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { parse } from 'yaml';
import { chartValues, type Manifest, packChart, RELEASE, renderChart, strangeFiles, type Values } from './chart';
import { ownDrainSeconds, ROOT, readText } from './checkout';
import { REQUIRED_VARIABLES, readComposeFile, rolesOf } from './compose-file';
import { readDockerfile } from './dockerfile';
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
  image: { pullSecrets: [{ name: 'registry' }], tag: '2.0.0' },
  media: { claimName: 'media' },
  podLabels: { team: 'media' },
  podAnnotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
  serviceAnnotations: { 'example.com/owner': 'media' },
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
    },
  },
  migrate: {
    databaseUrlKey: 'DIRECT_DATABASE_URL',
    secretName: 'mediagate-owner',
    env: { NODE_EXTRA_CA_CERTS: '/etc/ca/ca.pem' },
  },
  networkPolicy: {
    callers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    metrics: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
    extraEgress: [{ to: [{ ipBlock: { cidr: '169.254.170.23/32' } }], ports: [{ port: 80, protocol: 'TCP' }] }],
  },
};
const SETTINGS = {
  'as it comes': {},
  'with everything': EVERYTHING,
  'with storage in S3': { media: {}, channels: { channels: [], storage: { driver: 's3' } } },
  'without migration': { migrate: { enabled: false } },
  'without network policies': { networkPolicy: { enabled: false } },
  'without an account of its own': { serviceAccount: { create: false } },
};
const cases = Object.entries(SETTINGS);

const roles = Object.keys(chartValues()['roles'] as object);
const kinds = (manifests: Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const componentOf = ({ metadata }: Manifest) => metadata.labels?.['app.kubernetes.io/component'] ?? '';
const containerOf = ({ spec }: Manifest) => spec.template.spec.containers[0];
const variablesOf = (manifest: Manifest): Record<string, string> =>
  Object.fromEntries(containerOf(manifest).env.map(({ name, value }: Record<string, string>) => [name, value]));

describe.each(cases)('the chart, %s', (_name, values) => {
  const manifests = renderChart(values);

  it('fits the schemas of Kubernetes and KEDA', () => {
    expect(schemaFaults(manifests)).toEqual([]);
  });

  it('has no field that Kubernetes and KEDA do not know, and none of another type', () => {
    expect(typeFaults(manifests)).toEqual([]);
  });

  it('names each object once', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
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
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health' });
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
    expect(drainSeconds).toBeGreaterThanOrEqual(ownDrainSeconds(role));
    expect(terminationGracePeriodSeconds - beforeSignal - drainSeconds).toBeGreaterThanOrEqual(20);
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
  const users = { runAsUser: null, runAsGroup: null, fsGroup: null };
  const manifests = renderChart({ podSecurityContext: users });
  for (const { spec } of [...kinds(manifests, 'Deployment'), ...kinds(manifests, 'Job')]) {
    const kept = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    expect(spec.template.spec.securityContext).toEqual(kept);
  }
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

describe('the network policies', () => {
  const policies = (changes: Values = {}) => kinds(renderChart(changes), 'NetworkPolicy');
  const policyOf = (role: string, changes: Values = {}) =>
    policies(changes).find((each) => componentOf(each) === role) as Manifest;
  const portsOf = (rules: { ports: { port: string | number }[] }[]) =>
    rules.flatMap(({ ports }) => ports.map(({ port }) => port));

  it('let nobody reach a pod but on the port it serves, that of speech, and the health port', () => {
    expect(policies().map(componentOf).sort()).toEqual([...roles].sort());
    const serving: Record<string, string[]> = { api: ['http', 'speech'], console: ['http'] };
    for (const policy of policies()) {
      expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(portsOf(policy.spec.ingress)).toEqual([...(serving[componentOf(policy)] ?? []), 'health']);
    }
  });

  it('let only workers of speech reach the port at which they bring it, which is the one it listens on', () => {
    const [from] = policyOf('api').spec.ingress[1].from;
    expect(from.podSelector.matchLabels['app.kubernetes.io/component']).toBe('tts');
    const api = kinds(renderChart(), 'Deployment').find((each) => componentOf(each) === 'api') as Manifest;
    const { containerPort } = containerOf(api).ports.find(({ name }: { name: string }) => name === 'speech');
    expect(variablesOf(api)['SPEECH_LISTEN']).toBe(`[::]:${containerPort}`);
  });

  it('keep the API and the console to the callers that are named, and metrics to who gathers them', () => {
    expect(policyOf('api').spec.ingress[0].from).toBeUndefined();
    expect(policyOf('api', EVERYTHING).spec.ingress[0].from).toEqual(EVERYTHING.networkPolicy.callers);
    const labels = (role: string) => policyOf(role, EVERYTHING).spec.ingress.at(-1).from;
    expect(labels('image')[0].podSelector.matchLabels['app.kubernetes.io/component']).toBe('console');
    expect(labels('image')[1]).toEqual(EVERYTHING.networkPolicy.metrics[0]);
  });

  it('keep every pod from the address where clouds keep credentials, and the console from all but what it shows', () => {
    expect(portsOf(policyOf('console').spec.egress)).toEqual([53, 53, 6379, 5432, 'http', 'health']);
    for (const role of roles.filter((each) => each !== 'console')) {
      const [v4, v6] = policyOf(role).spec.egress[0].to;
      expect(v4.ipBlock).toEqual({ cidr: '0.0.0.0/0', except: ['169.254.0.0/16', '100.100.100.200/32'] });
      expect(v6.ipBlock.except).toContain('fd00:ec2::254/128');
    }
  });

  it('are left out where they are not wanted', () => {
    expect(policies({ networkPolicy: { enabled: false } })).toEqual([]);
  });
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
    const message = fault({ keda: { enabled: true } });
    expect(message).toContain('database.maxConnections is 100, and this deployment may open 384 connections');
    expect(message).toContain(
      'api 3 x 5, console 2 x 3, image 21 x 4, imgtool 11 x 4, music 11 x 4, reconciler 3 x 3, tts 11 x 4',
    );
    expect(message).toContain('migration 2, database.reserved 8');
    expect(fault({ keda: { enabled: true }, database: { maxConnections: 384 } })).toBe('');
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
    expect(service?.metadata.annotations).toEqual({ ...EVERYTHING.serviceAnnotations, ...api.serviceAnnotations });
    expect(account?.metadata).toMatchObject({ name: RELEASE, annotations: EVERYTHING.serviceAccount.annotations });
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

  it('brings the rules for alerts as they are, each with its runbook where the values say', () => {
    const [{ spec }] = kinds(brought, 'PrometheusRule') as [Manifest];
    const text = readText('deploy/helm/mediagate/files/alerts.yaml');
    expect(spec).toEqual(parse(text.replaceAll('docs/runbooks/', 'https://git.example.com/runbooks/')));
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
