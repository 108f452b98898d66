import { createHash, X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openVendorSealer, setSecret } from '@mediagate/channels';
import type { TaskId } from '@mediagate/contracts';
import { until } from '@mediagate/testkit';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { signedPng, smallPng } from './generic-upstream/png';
import { withFaultPoints } from './world/fault-points';
import { SEALING_SECRET } from './world/open-worker';
import type { WorkerSpec } from './world/worker-spec';
import { openWorld, type World } from './world/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

interface Result {
  images: string[];
  provenance?: { url: string; sources: { kept: boolean }[]; mark?: object }[];
}

async function resultOf(
  script: Parameters<World['upstream']['instruct']>[1],
  options: Pick<WorkerSpec, 'marks' | 'signing' | 'fingerprints'> & { imageUrl?: string } = {},
) {
  const { imageUrl, ...spec } = options;
  const label = world.label('origin');
  await world.upstream.instruct(label, script);
  await world.startWorker(spec);
  const { id, result } = await world.ended(await world.submit(label, { ...(imageUrl && { imageUrl }) }));
  return { id, ...(result as unknown as Result) };
}

async function storedResults(taskId: string): Promise<Buffer[]> {
  const { home } = world.spec;
  const objects = await world.database.mediaObject.findMany({ where: { taskId, purpose: 'result' } });
  const files = await readdir(home, { recursive: true });
  const stored = objects.map(({ storageKey }) => files.find((name) => name.endsWith(path.basename(storageKey))));
  return Promise.all(stored.map((name) => readFile(path.join(home, name ?? ''))));
}

type Pem = Record<'certificate' | 'key', string>;

/** The bytes of the first certificate. */
const derOf = ({ certificate }: Pick<Pem, 'certificate'>) => new X509Certificate(certificate).raw;

/** The files that the environment names for the pair that signs, in place of values. */
async function openPairInFiles() {
  const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-pair-'));
  const files = { certificate: path.join(folder, 'tls.crt'), key: path.join(folder, 'tls.key') };
  process.env['MEDIAGATE_SIGNING_CERTIFICATE_FILE'] = files.certificate;
  process.env['MEDIAGATE_SIGNING_KEY_FILE'] = files.key;
  return {
    signing: undefined,
    async write({ certificate, key }: Pem) {
      writeFileSync(files.certificate, certificate);
      writeFileSync(files.key, key);
    },
    remove() {
      delete process.env['MEDIAGATE_SIGNING_CERTIFICATE_FILE'];
      delete process.env['MEDIAGATE_SIGNING_KEY_FILE'];
      rmSync(folder, { recursive: true });
    },
  };
}

/** The same as what the database keeps sealed, set as operators set it. */
async function openPairInSecrets() {
  const sealer = openVendorSealer({ MEDIAGATE_SEALING_SECRET: SEALING_SECRET });
  const channels = { database: world.database, sealer, sources: () => new Map() };
  return {
    signing: { certificate: 'secret:signing.certificate', key: 'secret:signing.key' },
    async write(pem: Pem) {
      for (const [name, value] of Object.entries(pem))
        await setSecret(channels, { name: `signing.${name}`, value }, { actor: 'cli:test' });
    },
    remove: () => undefined,
  };
}

const DAY_MS = 24 * 3_600_000;
const EVERYTHING_BUT_DATE: FakeableAPI[] = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
];

/** It was looked at, and nobody has it. */
async function waitsInItsRow(id: TaskId): Promise<true | undefined> {
  const { fence, leaseUntil, nextStepAt } = await world.task(id);
  return fence > 0 && leaseUntil === null && nextStepAt !== null ? true : undefined;
}

const SIGNED = {
  standard: 'c2pa',
  source_type: 'trainedAlgorithmicMedia',
  issuer: 'Example Models',
  generator: 'ExampleModels 2.0',
  valid: true,
  problem: null,
  kept: true,
};

it('a signed result is kept as it was signed, without what stands behind its end, and the record says who signed it', async () => {
  const { id, images, provenance } = await resultOf({ signed: true });
  expect(provenance).toEqual([{ url: images[0], sources: [SIGNED] }]);
  const { sha256 } = await world.database.mediaObject.findFirstOrThrow({ where: { taskId: id, purpose: 'result' } });
  expect(Buffer.from(sha256)).toEqual(createHash('sha256').update(signedPng()).digest());
});

it('the parts of a signed grid have its statements, which they do not hold themselves', async () => {
  const { images, provenance = [] } = await resultOf({ signed: true, grid: true });
  expect(images).toHaveLength(5);
  expect(provenance.map(({ url, sources }) => [url, sources.map(({ kept }) => kept)])).toEqual(
    images.map((url, index) => [url, [index === 0]]),
  );
});

it('a result that states nothing has no such field', async () => {
  expect(await resultOf({})).not.toHaveProperty('provenance');
});

describe('where the operator wants marks', () => {
  it('a result has one, with its bytes and its record', async () => {
    const { id, images, provenance } = await resultOf({}, { marks: 'metadata' });
    const mark = { state: 'written', source_type: 'trainedAlgorithmicMedia', problem: null };
    expect(provenance).toEqual([{ url: images[0], sources: [], mark }]);
    const { bytes } = await world.database.mediaObject.findFirstOrThrow({ where: { taskId: id, purpose: 'result' } });
    expect(Number(bytes)).toBeGreaterThan(smallPng().length + 300);
  });

  it('it is a composite where an image of the caller went in', async () => {
    const imageUrl = `data:image/png;base64,${smallPng().toString('base64')}`;
    const { provenance } = await resultOf({}, { marks: 'metadata', imageUrl });
    expect(provenance).toMatchObject([{ mark: { source_type: 'compositeWithTrainedAlgorithmicMedia' } }]);
  });

  it('an account’s own choice counts before the deployment’s, for what begins after it was made', async () => {
    const label = world.label('origin');
    await world.upstream.instruct(label, {});
    await world.startWorker({ marks: 'metadata', signing: makeDevelopmentCertificate() });
    const endOf = async () => {
      const { accountId, result } = await world.ended(await world.submit(label));
      return { id: accountId, marks: (result as unknown as Result).provenance?.map(({ mark }) => mark) };
    };
    const { id, marks } = await endOf();
    expect(marks).toMatchObject([{ state: 'written' }]);
    try {
      await world.database.account.update({ where: { id }, data: { marks: 'off' } });
      expect((await endOf()).marks).toBeUndefined();
      await world.database.account.update({ where: { id }, data: { marks: 'signed' } });
      expect((await endOf()).marks).toMatchObject([{ state: 'signed' }]);
    } finally {
      await world.database.account.update({ where: { id }, data: { marks: null } });
    }
  });

  it('a signed one is not touched, and what is cut out of it is marked', async () => {
    const { provenance = [] } = await resultOf({ signed: true, grid: true }, { marks: 'metadata' });
    const states = ['stated', 'written', 'written', 'written', 'written'];
    expect(provenance.map(({ mark }) => mark)).toMatchObject(states.map((state) => ({ state })));
  });

  it('a signed one is signed by the operator, too, with what it was as its parent, and so is what is cut out of it', async () => {
    const options = { marks: 'signed', signing: makeDevelopmentCertificate() } as const;
    const { id, images, provenance = [] } = await resultOf({ signed: true, grid: true }, options);
    const mark = { state: 'signed', source_type: 'trainedAlgorithmicMedia', problem: null };
    expect(provenance).toEqual(images.map((url) => ({ url, sources: [SIGNED], mark })));
    const files = await storedResults(id);
    expect(files).toHaveLength(5);
    const vendors = signedPng();
    const start = vendors.indexOf('urn:c2pa:') - 25;
    const manifest = vendors.subarray(start, start + vendors.readUInt32BE(start - 8) - 8);
    for (const file of files) expect(file.includes(manifest)).toBe(true);
    expect(files.filter((file) => file.includes('c2pa.cropped'))).toHaveLength(4);
  });

  it('nothing is begun, and what was made waits at its vendor, while none may go unsigned and the certificate has ended', async () => {
    const endsAt = Date.now() + 20 * 60_000;
    const signing = makeDevelopmentCertificate({ from: new Date(endsAt - DAY_MS), days: 1 });
    const [begun, waiting] = [world.label('begun'), world.label('waiting')];
    await world.upstream.instruct(begun, {});
    let isEnded = false;
    const worker = await world.startWorker({
      marks: 'signed',
      unmarked: 'fail',
      signing,
      wrap: (deps) =>
        withFaultPoints(deps, async (point) => {
          if (point !== 'upstream done' || isEnded) return;
          isEnded = true;
          jest.useFakeTimers({ now: endsAt, doNotFake: EVERYTHING_BUT_DATE });
        }),
    });
    try {
      const first = await world.submit(begun);
      await until(async () => worker.logged.find(({ event }) => event === 'results.held_back'), 'the worker says so');
      const second = await world.submit(waiting);
      for (const id of [first, second]) await until(() => waitsInItsRow(id), `task ${id} waits in its row`);
      expect(await world.task(first)).toMatchObject({ completedAt: null, failedSteps: 0 });
      expect(await world.journalOf(waiting)).toEqual([]);
      expect(worker.deps.whyNotKept({ ownMarks: null })).toBe('signing_failing');
      expect(worker.deps.whyNotKept({ ownMarks: { marks: null, unmarked: 'deliver' } })).toBeUndefined();
      jest.useRealTimers();
      for (const id of [first, second]) {
        expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0, attemptsMade: 1 });
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('a worker starts with a certificate that has ended, and what waits for one goes on by itself once a new pair is there', async () => {
    const pair = await openPairInFiles();
    await pair.write(makeDevelopmentCertificate({ from: new Date(Date.now() - 2 * DAY_MS), days: 1 }));
    try {
      const worker = await world.startWorker({ marks: 'signed', unmarked: 'fail', signerEveryMs: 50 });
      const label = world.label('origin');
      await world.upstream.instruct(label, {});
      const id = await world.submit(label);
      await until(() => waitsInItsRow(id), 'it waits in its row');
      expect(await world.journalOf(label)).toEqual([]);
      await pair.write(makeDevelopmentCertificate());
      await until(async () => worker.logged.find(({ event }) => event === 'results.signed'), 'the pair is taken up');
      expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0, attemptsMade: 1 });
    } finally {
      pair.remove();
    }
  });

  it.each([
    ['files', openPairInFiles],
    ['secrets of the database', openPairInSecrets],
  ])(
    'results are signed by the pair that was put into %s in place of the former one, each by one of the two, and none is lost',
    async (_where, openPair) => {
      const pair = await openPair();
      const [former, next] = [makeDevelopmentCertificate(), makeDevelopmentCertificate()];
      await pair.write(former);
      const { signing } = pair;
      const spec = { marks: 'signed', unmarked: 'fail', signerEveryMs: 50, ...(signing && { signing }) } as const;
      const worker = await world.startWorker(spec);
      const signers: string[] = [];
      const signOne = async () => {
        const label = world.label('origin');
        await world.upstream.instruct(label, {});
        const { id, result } = await world.ended(await world.submit(label));
        expect((result as unknown as Result).provenance).toMatchObject([{ mark: { state: 'signed', problem: null } }]);
        const [file = Buffer.alloc(0)] = await storedResults(id);
        signers.push([former, next].map((each) => (file.includes(derOf(each)) ? 'x' : '-')).join(''));
      };
      try {
        await signOne();
        await pair.write({ ...former, certificate: next.certificate });
        await until(async () => worker.logged.find(({ event }) => event === 'signing.change_refused'), 'it is refused');
        await signOne();
        await pair.write(next);
        await until(async () => {
          await signOne();
          return worker.logged.filter(({ event }) => event === 'results.signed').length > 1 || undefined;
        }, 'the new pair is taken up');
        await signOne();
        expect(signers.slice(0, 2)).toEqual(['x-', 'x-']);
        expect(signers.at(-1)).toBe('-x');
        expect(new Set(signers)).toEqual(new Set(['x-', '-x']));
      } finally {
        pair.remove();
      }
    },
  );

  it('an image that went into a signed result is named in it by its hash, whether the body has it or it is stored here', async () => {
    const [url = ''] = (await resultOf({})).images;
    await world.closeWorkers();
    const options = { marks: 'signed', signing: makeDevelopmentCertificate() } as const;
    const hashOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const signedWith = async (imageUrl: string) => {
      const { id } = await resultOf({}, { ...options, imageUrl });
      const [file = Buffer.alloc(0)] = await storedResults(id);
      return file;
    };
    const image = smallPng();
    const ofBody = await signedWith(`data:image/png;base64,${image.toString('base64')}`);
    expect(ofBody.includes(hashOf(image))).toBe(true);
    const ofLink = await signedWith(url);
    expect(ofLink.includes(hashOf(image))).toBe(true);
    expect(ofLink.includes(url)).toBe(false);
  });

  it('what cannot be marked is refunded where none may go without: it is fetched once, and nothing is stored', async () => {
    const label = world.label('origin');
    await world.upstream.instruct(label, { gif: true });
    await world.startWorker({ marks: 'metadata', unmarked: 'fail' });
    const id = await world.submit(label);
    const task = await world.ended(id);
    expect(task).toMatchObject({ status: 'failed', costNano: 0n, error: { reason: 'result_unavailable' } });
    const [{ externalId, ...attempt } = { externalId: '' }] = await world.attempts(id);
    const detail = 'no usable output: the result could not be marked: image/gif carries no XMP';
    expect(attempt).toMatchObject({ state: 'refused', fault: null, detail });
    expect((await world.journalOf(`${externalId}-0.png`)).map(({ event }) => event)).toEqual(['fetched']);
    expect(await world.database.mediaObject.count({ where: { taskId: id } })).toBe(0);
    const { state } = await world.database.reservation.findFirstOrThrow({ where: { taskId: id } });
    expect(state).toBe('refunded');
  });
});

describe('where fingerprints are kept', () => {
  const printsOf = (taskId: string) =>
    world.database.fingerprint.findMany({ where: { taskId }, orderBy: { output: 'asc' } });

  it('each file of a result has one, with the SHA-256 of its bytes as they are stored, marks included', async () => {
    const { id, images } = await resultOf({ grid: true }, { marks: 'metadata', fingerprints: 'on' });
    const prints = await until(
      async () => ((await printsOf(id)).length === images.length ? printsOf(id) : undefined),
      'all are kept',
    );
    const files = await world.database.mediaObject.findMany({ where: { taskId: id, purpose: 'result' } });
    const digests = (rows: readonly { sha256: Uint8Array }[]) =>
      rows.map(({ sha256 }) => Buffer.from(sha256).toString('hex')).sort();
    expect(digests(prints)).toEqual(digests(files));
    expect(prints.map(({ output, kind, hashes }) => [output, kind, hashes.length])).toEqual(
      // A tile has one pixel.
      images.map((_, index) => [index + 1, 'image', index === 0 ? 1 : 0]),
    );
  });

  it('are off, none is', async () => {
    const { id } = await resultOf({});
    expect(await printsOf(id)).toEqual([]);
  });
});
