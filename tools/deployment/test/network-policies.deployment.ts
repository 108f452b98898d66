import { type Manifest, RELEASE, renderChart, type Values } from './chart';
import { type Connection, type Place, type Plugin, passes } from './traffic';

const NAMESPACE = 'media';
const PLUGINS: Plugin[] = ['by address', 'by identity'];
const WORKERS = ['image', 'video', 'music', 'imgtool', 'tts'];
const CALLING = ['api', ...WORKERS, 'webhook-delivery', 'reconciler'];
const PORTS = { http: 8080, speech: 8090, operators: 8082, health: 9090 };

const own = (component: string): Place => ({
  address: component === 'console' ? '10.1.0.3' : '10.1.0.2',
  namespace: NAMESPACE,
  labels: {
    'app.kubernetes.io/name': 'mediagate',
    'app.kubernetes.io/instance': RELEASE,
    'app.kubernetes.io/component': component,
  },
  ports: component === 'console' ? { http: 8081, health: 9090 } : PORTS,
});
const pod = (namespace: string, address: string, app: string): Place => ({ namespace, address, labels: { app } });

const DNS = pod('kube-system', '10.1.0.53', 'coredns');
const POSTGRES = pod('data', '10.1.0.54', 'postgres');
const REDIS = pod('data', '10.1.0.55', 'redis');
const MINIO = pod('storage', '10.1.0.56', 'minio');
const STRANGER = pod('elsewhere', '10.1.0.57', 'stranger');
const PROMETHEUS = pod('monitoring', '10.1.0.58', 'prometheus');
const VENDOR: Place = { address: '203.0.113.7' };
const VENDOR_6: Place = { address: '2001:db8::7' };
const NODE_DNS: Place = { address: '169.254.20.10' };
const CREDENTIALS: Place[] = ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'].map(
  (address) => ({ address }),
);

const policiesOf = (values: Values): Manifest[] => renderChart(values).filter(({ kind }) => kind === 'NetworkPolicy');
const shipped = policiesOf({ backup: { enabled: true, claimName: 'backups' } });

/** Asks whether the connection passes, by either kind of plugin. */
const verdict = (policies: Manifest[], connection: Connection) =>
  PLUGINS.map((plugin) => passes(policies, NAMESPACE, plugin, connection));
const PASSES = [true, true];
const STOPS = [false, false];

describe.each([...CALLING, 'console', 'migrate', 'backup'])('%s', (component) => {
  const from = own(component);

  it('is answered names by the cluster, by the node and by OpenShift', () => {
    for (const protocol of ['UDP', 'TCP'] as const) {
      expect(verdict(shipped, { from, to: DNS, port: 53, protocol })).toEqual(PASSES);
      expect(verdict(shipped, { from, to: DNS, port: 5353, protocol })).toEqual(PASSES);
      expect(verdict(shipped, { from, to: NODE_DNS, port: 53, protocol })).toEqual(PASSES);
    }
  });

  it('reaches PostgreSQL and its pooler, in the cluster and outside', () => {
    for (const to of [POSTGRES, VENDOR, VENDOR_6])
      for (const port of [5432, 6432]) expect(verdict(shipped, { from, to, port })).toEqual(PASSES);
  });

  it('never reaches where a cloud keeps credentials', () => {
    for (const to of CREDENTIALS) expect(verdict(shipped, { from, to, port: 80 })).toEqual(STOPS);
  });
});

it.each([...CALLING, 'console'])('%s reaches Redis and its Sentinels, in the cluster and outside', (component) => {
  for (const to of [REDIS, VENDOR])
    for (const port of [6379, 26379]) expect(verdict(shipped, { from: own(component), to, port })).toEqual(PASSES);
});

it.each(CALLING)(
  '%s reaches storage in the cluster, and vendors and callers outside, of IPv4 and IPv6',
  (component) => {
    const from = own(component);
    expect(verdict(shipped, { from, to: MINIO, port: 9000 })).toEqual(PASSES);
    expect(verdict(shipped, { from, to: VENDOR, port: 443 })).toEqual(PASSES);
    expect(verdict(shipped, { from, to: VENDOR_6, port: 8443 })).toEqual(PASSES);
  },
);

it.each(['migrate', 'backup'])('%s reaches nobody else, and is reached by nobody', (component) => {
  const command = own(component);
  for (const to of [REDIS, VENDOR, own('api')])
    expect(verdict(shipped, { from: command, to, port: 6379 })).toEqual(STOPS);
  expect(verdict(shipped, { from: STRANGER, to: command, port: 9090 })).toEqual(STOPS);
});

it('the migration is let through before it begins, and its policy goes with it', () => {
  const [policy] = shipped.filter(({ metadata }) => metadata.name.endsWith('-migrate'));
  const [job] = renderChart().filter(({ kind }) => kind === 'Job');
  const hooks = (manifest: Manifest | undefined) => manifest?.metadata.annotations ?? {};
  expect(hooks(policy)).toMatchObject(hooks(job));
  const weight = (manifest: Manifest | undefined) => Number(hooks(manifest)['helm.sh/hook-weight'] ?? 0);
  expect(weight(policy)).toBeLessThan(weight(job));
});

describe('the API', () => {
  const to = own('api');

  it('is reached by everybody at its port, and by those alone whom the values name', () => {
    const callers = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
    const narrow = policiesOf({ networkPolicy: { callers } });
    for (const from of [STRANGER, VENDOR]) {
      expect(verdict(shipped, { from, to, port: 8080 })).toEqual(PASSES);
      expect(verdict(narrow, { from, to, port: 8080 })).toEqual(STOPS);
    }
    expect(verdict(narrow, { from: PROMETHEUS, to, port: 8080 })).toEqual(PASSES);
  });

  it('is brought speech by its workers alone', () => {
    expect(verdict(shipped, { from: own('tts'), to, port: 8090 })).toEqual(PASSES);
    for (const from of [own('image'), own('console'), STRANGER, VENDOR])
      expect(verdict(shipped, { from, to, port: 8090 })).toEqual(STOPS);
  });

  it('shows operators’ routes to the console, and to whom the values name', () => {
    expect(verdict(shipped, { from: own('console'), to, port: 8082 })).toEqual(PASSES);
    for (const from of [own('tts'), STRANGER, VENDOR])
      expect(verdict(shipped, { from, to, port: 8082 })).toEqual(STOPS);
    const operators = [{ ipBlock: { cidr: '203.0.113.0/24' } }];
    expect(verdict(policiesOf({ networkPolicy: { operators } }), { from: VENDOR, to, port: 8082 })).toEqual(PASSES);
  });
});

it('metrics are read by the console, and by whom the values name', () => {
  const metrics = [{ namespaceSelector: {}, podSelector: { matchLabels: { app: 'prometheus' } } }];
  const named = policiesOf({ networkPolicy: { metrics } });
  for (const component of CALLING) {
    const to = own(component);
    expect(verdict(shipped, { from: own('console'), to, port: 9090 })).toEqual(PASSES);
    expect(verdict(shipped, { from: PROMETHEUS, to, port: 9090 })).toEqual(STOPS);
    expect(verdict(named, { from: PROMETHEUS, to, port: 9090 })).toEqual(PASSES);
    expect(verdict(named, { from: STRANGER, to, port: 9090 })).toEqual(STOPS);
  }
});

it('the console reaches the API and nobody outside', () => {
  const from = own('console');
  expect(verdict(shipped, { from, to: own('api'), port: 8080 })).toEqual(PASSES);
  for (const to of [VENDOR, MINIO, own('image')]) expect(verdict(shipped, { from, to, port: 443 })).toEqual(STOPS);
});

it('pods reach nothing in the cluster but what the values name, once its own ranges are closed', () => {
  const policies = policiesOf({
    networkPolicy: {
      closedRanges: ['10.0.0.0/8', 'fd00::/8'],
      inCluster: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'storage' } } }],
    },
  });
  const from = own('image');
  expect(verdict(policies, { from, to: MINIO, port: 9000 })).toEqual(PASSES);
  expect(verdict(policies, { from, to: POSTGRES, port: 5432 })).toEqual(PASSES);
  expect(verdict(policies, { from, to: VENDOR, port: 443 })).toEqual(PASSES);
  expect(verdict(policies, { from, to: STRANGER, port: 443 })).toEqual(STOPS);
  expect(verdict(policies, { from, to: { address: 'fd12::1' }, port: 443 })).toEqual(STOPS);
  expect(verdict(policies, { from: own('tts'), to: own('api'), port: 8090 })).toEqual(PASSES);
});

it('the judge of these tests takes an address for no pod where the plugin does not', () => {
  const rules = [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }];
  const byAddress = [
    { apiVersion: '', kind: 'NetworkPolicy', metadata: { name: 'a' }, spec: { podSelector: {}, egress: rules } },
  ];
  expect(verdict(byAddress, { from: own('image'), to: DNS, port: 53 })).toEqual([true, false]);
  expect(verdict(byAddress, { from: own('image'), to: VENDOR, port: 443 })).toEqual(PASSES);
});
