import { WORKER_FAMILIES } from '@mediagate/contracts';
import { chartValues, type Manifest, RELEASE, renderChart, type Values } from './chart';
import { ownDrainSeconds } from './checkout';
import { REQUIRED_VARIABLES, readComposeFile, rolesOf } from './compose-file';
import { readDockerfile } from './dockerfile';
import { schemaFaults } from './manifest-schemas';
import { typeFaults } from './manifest-types';

const EVERYTHING = {
  env: { LOG_LEVEL: 'debug' },
  image: { pullSecrets: [{ name: 'registry' }], tag: '2.0.0' },
  media: { claimName: 'media' },
  console: { publicUrl: 'https://console.example.com', trustedProxies: 1 },
  keda: { enabled: true, redisUsernameFromEnv: 'REDIS_USER', redisPasswordFromEnv: 'REDIS_PASSWORD', redisTls: true },
  roles: { api: { env: { API_POOL_SIZE: 20 } } },
  migrate: { databaseUrlKey: 'DIRECT_DATABASE_URL', secretName: 'mediagate-owner' },
  networkPolicy: {
    callers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    metrics: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
  },
};
const SETTINGS = {
  'as it comes': {},
  'with everything': EVERYTHING,
  'without migration': { migrate: { enabled: false } },
  'without network policies': { networkPolicy: { enabled: false } },
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
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' });
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

  it.each(roles)('%s keeps the paths, addresses and ports of the image, whatever is in the Secret', (role) => {
    const { environment } = readDockerfile();
    const container = containerOf(deployments.find((each) => componentOf(each) === role) as Manifest);
    const set = variablesOf(deployments.find((each) => componentOf(each) === role) as Manifest);
    const ofImage = ['HOST', 'HEALTH_HOST', 'HEALTH_PORT'];
    const ofFiles = ['MEDIAGATE_CONFIG', 'MEDIAGATE_HOME', 'FFMPEG_PATH'];
    const names = role === 'console' ? ofImage : [...ofImage, ...ofFiles];
    expect(set).toMatchObject(Object.fromEntries(names.map((name) => [name, environment[name]])));
    const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    if (role !== 'console') expect(mounted).toEqual(['/tmp', '/etc/mediagate', '/var/lib/mediagate']);
  });

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

it('the migration is given the URL of its database and nothing else, from a Secret and a key of its own if they are named', () => {
  const variables = (changes: Values) => {
    const { env, envFrom } = containerOf(kinds(renderChart(changes), 'Job')[0] as Manifest);
    expect(envFrom).toBeUndefined();
    return env;
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

  it('let nobody reach a pod but on the port it serves, and the health port', () => {
    expect(policies().map(componentOf).sort()).toEqual([...roles].sort());
    for (const policy of policies()) {
      const serves = ['api', 'console'].includes(componentOf(policy));
      expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(portsOf(policy.spec.ingress)).toEqual(serves ? ['http', 'health'] : ['health']);
    }
  });

  it('keep the API and the console to the callers that are named, and metrics to who gathers them', () => {
    expect(policyOf('api').spec.ingress[0].from).toBeUndefined();
    expect(policyOf('api', EVERYTHING).spec.ingress[0].from).toEqual(EVERYTHING.networkPolicy.callers);
    const labels = (role: string) => policyOf(role, EVERYTHING).spec.ingress.at(-1).from;
    expect(labels('image')[0].podSelector.matchLabels['app.kubernetes.io/component']).toBe('console');
    expect(labels('image')[1]).toEqual(EVERYTHING.networkPolicy.metrics[0]);
  });

  it('keep every pod from the address where clouds keep credentials, and the console from all but what it shows', () => {
    expect(portsOf(policyOf('console').spec.egress)).toEqual([53, 53, 6379, 'health']);
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
  const scaled = kinds(renderChart({ keda: { enabled: true } }), 'ScaledObject');

  it('scales a worker that has a queue, and then nobody else sets its replicas', () => {
    expect(scaled.map(componentOf).sort()).toEqual([...WORKER_FAMILIES, 'webhook-delivery'].sort());
    for (const deployment of kinds(renderChart({ keda: { enabled: true } }), 'Deployment')) {
      const isScaled = scaled.some(({ spec }) => spec.scaleTargetRef.name === deployment.metadata.name);
      expect('replicas' in deployment.spec).toBe(!isScaled);
    }
  });

  it('is not asked for where it is not enabled', () => {
    expect(kinds(renderChart(), 'ScaledObject')).toEqual([]);
  });
});
