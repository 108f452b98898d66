import { ConfigError } from '@mediagate/host';
import { openSigner } from '@mediagate/provenance';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { Registry } from 'prom-client';
import { followSigner } from './follow-signer';
import { createPemReader, readPair, watchSigner } from './open-signer';
import { signingStateOf } from './signing-state';

const from = new Date('2026-11-01T00:00:00Z');
const { certificate, key } = makeDevelopmentCertificate({ from, days: 30 });
const other = makeDevelopmentCertificate();
const NO_LISTS = { MEDIAGATE_SIGNING_REVOCATIONS: undefined };
const GAUGE = 'mediagate_signing_certificate_end_timestamp_seconds';

interface Opening {
  certificate?: string | undefined;
  key?: string | undefined;
  marks?: 'off' | 'metadata' | 'signed';
  unmarked?: 'deliver' | 'fail';
  now?: string;
}

async function open(opening: Opening = {}) {
  const { marks = 'signed', unmarked = 'deliver', now = '2026-11-15T00:00:00Z' } = opening;
  const { certificate: ownCertificate, key: ownKey } = { certificate, key, ...opening };
  const lines: unknown[] = [];
  const write = (event: string, fields?: object) => void lines.push([event, fields]);
  const metrics = new Registry();
  const closes: (() => unknown)[] = [];
  const scope = {
    logger: { info: write, warn: write },
    metrics,
    defer: (_name: string, close: () => unknown) => closes.push(close),
  };
  const pems = { ...NO_LISTS, MEDIAGATE_SIGNING_CERTIFICATE: ownCertificate, MEDIAGATE_SIGNING_KEY: ownKey };
  const signer = await followSigner(scope, {
    read: async (variable) => pems[variable],
    deployment: { marks, unmarked },
    clock: () => new Date(now),
  });
  for (const close of closes) await close();
  return { signer: signer(), lines, metrics: await metrics.metrics() };
}

const faultsOf = (opening: Opening) =>
  open(opening).then(
    () => [],
    (error: unknown) => (error instanceof ConfigError ? error.faults : [String(error)]),
  );

it('is not asked for where the deployment does not sign, but opened where there is one, for accounts that do', async () => {
  for (const marks of ['off', 'metadata'] as const) {
    const { signer, lines, metrics } = await open({ marks, certificate: undefined, key: undefined });
    expect([signer, lines]).toEqual([undefined, []]);
    expect(metrics).not.toMatch(new RegExp(`^${GAUGE} `, 'm'));
    expect((await open({ marks })).signer).toMatchObject({ subject: 'mediagate development (untrusted)' });
    expect((await open({ marks, unmarked: 'fail', now: '2027-01-01T00:00:00Z' })).lines).toMatchObject([
      ['results.unsigned', {}],
    ]);
    expect(await faultsOf({ marks, key: other.key })).toEqual(['MEDIAGATE_SIGNING_KEY does not fit the certificate']);
  }
});

it('says at the start as whom and until when it signs, and the gauge says so, too', async () => {
  const { lines, metrics } = await open();
  const detail = 'results are signed as mediagate development (untrusted) until 2026-12-01T00:00:00.000Z';
  expect(lines).toEqual([['results.signed', { detail }]]);
  expect(metrics).toContain(`${GAUGE} ${Date.parse('2026-12-01T00:00:00Z') / 1000}\n`);
});

it('takes certificate and key from the secrets of the database where they are named so, and says which is not there', async () => {
  const secrets = new Map([
    ['certificate', certificate],
    ['key', key],
  ]);
  const read = async (name: string) => secrets.get(name);
  const config = {
    ...NO_LISTS,
    MEDIAGATE_SIGNING_CERTIFICATE: 'secret:certificate',
    MEDIAGATE_SIGNING_KEY: 'secret:key',
  };
  const pair = { MEDIAGATE_SIGNING_CERTIFICATE: certificate, MEDIAGATE_SIGNING_KEY: key };
  expect(await readPair(createPemReader(config, read))).toEqual(pair);
  expect(await readPair(createPemReader({ ...NO_LISTS, ...pair }, read))).toEqual(pair);
  secrets.delete('key');
  await expect(readPair(createPemReader(config, read))).rejects.toMatchObject({
    faults: [
      'MEDIAGATE_SIGNING_KEY names the secret key, which is not there, cannot be opened here, or does not begin with signing.',
    ],
  });
});

it('names the state of a certificate: the end first, then what else a reader would mind', async () => {
  const signer = openSigner({ certificate, key });
  const states = ['2026-10-31', '2026-11-02', '2026-12-02'].map((day) => signingStateOf(signer, new Date(day)));
  expect(states).toEqual(['not_begun', 'ending', 'ended']);
  expect(signingStateOf({ ...signer, isRevoked: true }, new Date('2026-12-02'))).toBe('revoked');
  const now = new Date();
  const lasting = openSigner(other);
  expect(signingStateOf(lasting, now)).toBe('development');
  expect(signingStateOf({ ...lasting, subject: 'Studio', hasAuthorities: false }, now)).toBe('incomplete_chain');
  expect(signingStateOf({ ...lasting, subject: 'Studio', hasAuthorities: true }, now)).toBe('valid');
  const { metrics } = await open({ ...other, now: now.toISOString() });
  expect(metrics).toMatch(/^mediagate_signing_state\{state="development"\} 1$/m);
  expect(metrics).toMatch(/^mediagate_signing_state\{state="valid"\} 0$/m);
});

it.each<[string, Opening, RegExp]>([
  [
    'no certificate',
    { certificate: undefined },
    /^MEDIAGATE_SIGNING_CERTIFICATE is missing: .*media\.marks: signed needs it/,
  ],
  ['no key', { key: undefined }, /^MEDIAGATE_SIGNING_KEY is missing: /],
  ['another key', { key: other.key }, /^MEDIAGATE_SIGNING_KEY does not fit the certificate$/],
  ['a key for a certificate', { certificate: key }, /^MEDIAGATE_SIGNING_CERTIFICATE holds no certificate in PEM$/],
])(
  'stops the start by a sentence that names the variable, and repeats no secret: %s',
  async (_what, opening, sentence) => {
    const faults = await faultsOf(opening);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults.join()).not.toContain(key.split('\n')[1]);
  },
);

it('stops no worker where the certificate has ended, also where none may go unsigned: a new one is taken up while it runs', async () => {
  const now = '2026-12-01T00:00:00Z';
  const detail = 'MEDIAGATE_SIGNING_CERTIFICATE: the certificate of the service ended at 2026-12-01T00:00:00.000Z';
  for (const unmarked of ['deliver', 'fail'] as const)
    expect((await open({ now, unmarked })).lines).toEqual([['results.unsigned', { detail }]]);
});

it('has nothing begun from its end on where no result may go unsigned, and readiness and the log say so', async () => {
  const { signer } = await open();
  const lines: unknown[] = [];
  let now = new Date('2026-11-30T23:59:59Z');
  const checks: (() => Promise<void>)[] = [];
  const scope = {
    logger: { error: (...line: unknown[]) => void lines.push(line) },
    addReadinessCheck: (_name: string, check: () => Promise<void>) => void checks.push(check),
  };
  const deps = { scope, clock: () => now };
  const look = watchSigner(() => signer, { marks: 'signed', unmarked: 'fail' }, deps);
  const strict = () => look({ marks: 'signed', unmarked: 'fail' });
  const lenient = () => look({ marks: 'signed', unmarked: 'deliver' });
  expect([strict(), lenient(), lines]).toEqual([undefined, undefined, []]);
  expect(await Promise.all(checks.map((isReady) => isReady()))).toEqual([undefined]);
  now = new Date('2026-12-01T00:00:00Z');
  const problem = 'the certificate of the service ended at 2026-12-01T00:00:00.000Z';
  expect([strict(), strict(), lenient()]).toEqual([problem, problem, undefined]);
  const detail = `nothing that must be signed is begun: MEDIAGATE_SIGNING_CERTIFICATE: ${problem}`;
  expect(lines).toEqual([['results.held_back', { detail }]]);
  await expect(checks[0]?.()).rejects.toThrow(problem);
});

it('has nothing begun for an account whose results must be signed where there is no certificate, and is ready for all others', async () => {
  const checks: (() => Promise<void>)[] = [];
  const scope = {
    logger: { error: () => undefined },
    addReadinessCheck: (_name: string, check: () => Promise<void>) => void checks.push(check),
  };
  const deployment = { marks: 'off', unmarked: 'deliver' } as const;
  const look = watchSigner(() => undefined, deployment, { scope, clock: () => from });
  expect(look({ marks: 'signed', unmarked: 'fail' })).toBe('the service has no certificate');
  expect(look(deployment)).toBeUndefined();
  expect(await Promise.all(checks.map((isReady) => isReady()))).toEqual([undefined]);
});
