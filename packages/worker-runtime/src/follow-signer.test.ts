import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@mediagate/host';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { Registry } from 'prom-client';
import { followSigner } from './follow-signer';
import { problemOf, type SigningPair } from './open-signer';

const LOOK_MS = 1000;
const REFUSED = 'mediagate_signing_change_refused';
const made = (from: string, days = 30) => makeDevelopmentCertificate({ from: new Date(from), days });
const pairOf = ({ certificate, key }: Record<'certificate' | 'key', string>): SigningPair => ({
  MEDIAGATE_SIGNING_CERTIFICATE: certificate,
  MEDIAGATE_SIGNING_KEY: key,
});

const former = made('2026-11-01');
const next = made('2026-11-20', 60);
const END_OF_FORMER = '2026-12-01T00:00:00.000Z';
const END_OF_NEXT = '2027-01-19T00:00:00.000Z';

let now: Date;
let inPlace: SigningPair | Error;
let lists: string | undefined;
let closes: (() => unknown)[];

beforeEach(() => {
  jest.useFakeTimers();
  now = new Date('2026-11-25T00:00:00Z');
  inPlace = pairOf(former);
  lists = undefined;
  closes = [];
});

afterEach(async () => {
  for (const close of closes) await close();
  jest.useRealTimers();
});

async function follow() {
  const lines: [string, unknown][] = [];
  const write = (event: string, fields?: object) => void lines.push([event, fields]);
  const metrics = new Registry();
  const scope = {
    logger: { info: write, warn: write },
    metrics,
    defer: (_name: string, close: () => unknown) => closes.push(close),
  };
  const currentSigner = await followSigner(scope, {
    async read(variable) {
      if (variable === 'MEDIAGATE_SIGNING_REVOCATIONS') return lists;
      if (inPlace instanceof Error) throw inPlace;
      return inPlace[variable];
    },
    deployment: { marks: 'signed', unmarked: 'deliver' },
    clock: () => now,
    everyMs: LOOK_MS,
  });
  lines.length = 0;
  return {
    lines,
    currentSigner,
    end: () => currentSigner()?.validTo.toISOString(),
    /** Lets so many looks pass. */
    look: (times: number) => jest.advanceTimersByTimeAsync(times * LOOK_MS),
    async isRefused() {
      const [, value] = new RegExp(`^${REFUSED} (\\d)$`, 'm').exec(await metrics.metrics()) ?? [];
      return value === '1';
    },
  };
}

it('signs by a new pair without a restart, once two looks in a row have read it', async () => {
  const { end, look, lines, currentSigner } = await follow();
  const begun = currentSigner();
  inPlace = pairOf(next);
  await look(1);
  expect(end()).toBe(END_OF_FORMER);
  await look(1);
  expect(end()).toBe(END_OF_NEXT);
  expect(lines).toEqual([
    ['results.signed', { detail: `results are signed as mediagate development (untrusted) until ${END_OF_NEXT}` }],
  ]);
  // A signer that was asked for before signs on.
  expect((await begun?.sign(Buffer.from('claim')))?.length).toBe(begun?.signatureBytes);
});

it('makes nothing of a certificate that is written before its key, and takes both up once they fit', async () => {
  const { end, look, lines, isRefused } = await follow();
  inPlace = pairOf({ ...former, certificate: next.certificate });
  await look(1);
  inPlace = pairOf(next);
  await look(1);
  expect([end(), await isRefused()]).toEqual([END_OF_FORMER, false]);
  await look(1);
  expect([end(), await isRefused()]).toEqual([END_OF_NEXT, false]);
  expect(lines).toMatchObject([['results.signed', {}]]);
});

it.each<[string, () => SigningPair | Error, string]>([
  [
    'a certificate without its key',
    () => pairOf({ ...former, certificate: next.certificate }),
    'MEDIAGATE_SIGNING_KEY does not fit the certificate',
  ],
  [
    'half a certificate',
    () => pairOf({ ...former, certificate: former.certificate.slice(0, 300) }),
    'MEDIAGATE_SIGNING_CERTIFICATE holds no certificate in PEM',
  ],
  [
    'a file that is gone',
    () => new ConfigError(['MEDIAGATE_SIGNING_KEY_FILE names /run/key.pem, which cannot be read (ENOENT)']),
    'MEDIAGATE_SIGNING_KEY_FILE names /run/key.pem, which cannot be read (ENOENT)',
  ],
  [
    'one that has ended',
    () => pairOf(made('2026-10-01', 3)),
    'MEDIAGATE_SIGNING_CERTIFICATE: the certificate of the service ended at 2026-10-04T00:00:00.000Z',
  ],
])(
  'signs on by the former pair where what stays in place is %s, and the log says so once',
  async (_what, given, problem) => {
    const { end, look, lines, isRefused } = await follow();
    inPlace = given();
    await look(5);
    const detail = `the former certificate and key stay: ${problem}`;
    expect(lines).toEqual([['signing.change_refused', { detail }]]);
    expect([end(), await isRefused()]).toEqual([END_OF_FORMER, true]);
    inPlace = pairOf(former);
    await look(1);
    expect(await isRefused()).toBe(false);
  },
);

describe('lists of revoked certificates', () => {
  const read = (name: string) =>
    readFileSync(join(__dirname, `../../provenance/test/certificates/${name}.pem`), 'utf8');
  const revoked = pairOf({ certificate: read('revoked'), key: read('revoked-key') });
  const REVOKED = 'the certificate of the service was revoked';
  const unsigned = ['results.unsigned', { detail: `MEDIAGATE_SIGNING_CERTIFICATE: ${REVOKED}` }];

  async function followRevoked() {
    now = new Date('2026-12-15T00:00:00Z');
    [inPlace, lists] = [revoked, read('empty-list')];
    const followed = await follow();
    const problem = () => problemOf(followed.currentSigner(), now);
    expect(problem()).toBeUndefined();
    return { ...followed, problem };
  }

  it('nothing is signed by a certificate that is found in them, until there is another', async () => {
    const { look, lines, problem, isRefused } = await followRevoked();
    lists = read('list');
    await look(2);
    expect([problem(), await isRefused()]).toEqual([REVOKED, false]);
    expect(lines).toEqual([unsigned]);
    inPlace = pairOf(next);
    await look(2);
    expect(problem()).toBeUndefined();
    inPlace = revoked;
    await look(2);
    expect([problem(), await isRefused()]).toEqual([undefined, true]);
  });

  it.each<[string, () => SigningPair | Error]>([
    ['does not fit', () => pairOf({ ...next, key: former.key })],
    ['cannot be read', () => new ConfigError(['MEDIAGATE_SIGNING_KEY_FILE names /run/key.pem, which is empty'])],
  ])('count where the pair that came with them %s', async (_what, given) => {
    const { look, lines, problem, isRefused } = await followRevoked();
    [inPlace, lists] = [given(), read('list')];
    await look(3);
    expect([problem(), await isRefused()]).toEqual([REVOKED, true]);
    expect(lines).toContainEqual(unsigned);
    inPlace = pairOf(next);
    await look(2);
    expect([problem(), await isRefused()]).toEqual([undefined, false]);
  });

  it('a new pair is taken up beside a text that is no list, and the former lists count for it', async () => {
    const { look, lines, end, problem, isRefused } = await followRevoked();
    lists = read('list');
    await look(2);
    [inPlace, lists] = [pairOf(next), 'no list'];
    await look(3);
    expect([problem(), end(), await isRefused()]).toEqual([undefined, END_OF_NEXT, true]);
    const sentence = 'MEDIAGATE_SIGNING_REVOCATIONS hold no list of revoked certificates (X509 CRL) in PEM';
    const detail = `the former lists of revoked certificates stay: ${sentence}`;
    expect(lines.filter(([event]) => event === 'signing.change_refused')).toEqual([
      ['signing.change_refused', { detail }],
    ]);
    inPlace = revoked;
    await look(2);
    expect([problem(), end()]).toEqual([undefined, END_OF_NEXT]);
  });
});

it('takes a pair whose time has not come up once it has begun', async () => {
  const { end, look, isRefused } = await follow();
  inPlace = pairOf(made('2026-11-26', 30));
  await look(2);
  expect([end(), await isRefused()]).toEqual([END_OF_FORMER, true]);
  now = new Date('2026-11-26T00:00:00Z');
  await look(1);
  expect([end(), await isRefused()]).toEqual(['2026-12-26T00:00:00.000Z', false]);
});

it('takes up any pair once the present one has ended: its own state is said then', async () => {
  const { end, look, lines, isRefused } = await follow();
  now = new Date('2026-12-02T00:00:00Z');
  inPlace = pairOf(made('2026-10-01', 3));
  await look(2);
  expect([end(), await isRefused()]).toEqual(['2026-10-04T00:00:00.000Z', false]);
  expect(lines).toMatchObject([['results.unsigned', {}]]);
  inPlace = pairOf(next);
  await look(2);
  expect(end()).toBe(END_OF_NEXT);
});

it('keeps its pair while the store of secrets is away, which is no fault of the pair', async () => {
  const { end, look, lines, isRefused } = await follow();
  const error = new Error('the database is away');
  inPlace = error;
  await look(3);
  expect(lines).toEqual([['signing.not_followed', { error }]]);
  expect([end(), await isRefused()]).toEqual([END_OF_FORMER, false]);
});
