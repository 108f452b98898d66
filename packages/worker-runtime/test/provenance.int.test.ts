import { createHash } from 'node:crypto';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { signedPng, smallPng } from './generic-upstream/png';
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
  options: Pick<WorkerSpec, 'marks' | 'signing'> & { imageUrl?: string } = {},
) {
  const { imageUrl, ...spec } = options;
  const label = world.label('origin');
  await world.upstream.instruct(label, script);
  await world.startWorker(spec);
  const { id, result } = await world.ended(await world.submit(label, { ...(imageUrl && { imageUrl }) }));
  return { id, ...(result as unknown as Result) };
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

  it('a signed one is not touched, and what is cut out of it is marked', async () => {
    const { provenance = [] } = await resultOf({ signed: true, grid: true }, { marks: 'metadata' });
    const states = ['stated', 'written', 'written', 'written', 'written'];
    expect(provenance.map(({ mark }) => mark)).toMatchObject(states.map((state) => ({ state })));
  });

  it('a signed one is signed by the operator, too, with what it was as its parent, and so is what is cut out of it', async () => {
    const options = { marks: 'signed', signing: makeDevelopmentCertificate() } as const;
    const { id, images, provenance = [] } = await resultOf({ signed: true, grid: true }, options);
    expect(provenance).toHaveLength(5);
    for (const { mark } of provenance) {
      expect(mark).toEqual({ state: 'signed', source_type: 'trainedAlgorithmicMedia', problem: null });
    }
    expect(provenance[0]).toMatchObject({ url: images[0], sources: [SIGNED] });
    const { bytes } = await world.database.mediaObject.findFirstOrThrow({ where: { taskId: id, purpose: 'result' } });
    expect(Number(bytes)).toBeGreaterThan(signedPng().length + 1000);
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
