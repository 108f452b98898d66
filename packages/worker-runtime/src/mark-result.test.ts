import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FetchedOutput } from '@mediagate/media';
import { type FileToMark, openSigner } from '@mediagate/provenance';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { Registry } from 'prom-client';
import { createResultMarker, markOutput, markPolicyOf, type ResultToMark } from './mark-result';

const gif = { bytes: Buffer.from('GIF89a'), contentType: 'image/gif', width: 1, height: 1 };
const pngOf = (name: string) => ({
  ...gif,
  bytes: readFileSync(path.join(__dirname, '../../provenance/test', name)),
  contentType: 'image/png',
});
const [png, ofVendor] = [pngOf('plain/plain.png'), pngOf('files/signed.png')];
const problem = 'image/gif carries no XMP';
const result = { type: 'trainedAlgorithmicMedia', taskId: 'task', marks: 'metadata', unmarked: 'deliver' } as const;

const warnings: unknown[] = [];
const logger = { warn: (...line: unknown[]) => void warnings.push(line) };

function open(unmarked: 'deliver' | 'fail') {
  const register = new Registry();
  const mark = createResultMarker({ register, logger, signer: () => undefined, clock: () => new Date(0) });
  const markOwn = (file: FileToMark, of: Partial<ResultToMark> = {}) => mark(file, { ...result, unmarked, ...of });
  return { register, mark: markOwn };
}

it('a result that cannot be marked is delivered, said so and counted', async () => {
  const { mark, register } = open('deliver');
  const unmarked = { state: 'unmarked', source_type: null, problem };
  expect(await mark(gif)).toEqual({ bytes: gif.bytes, mark: unmarked });
  expect(await register.metrics()).toContain('mediagate_result_marks_total{state="unmarked"} 1');
});

it('a result whose mark fails on the disk is delivered, and the log says why', async () => {
  const bytes = { path: '/nowhere/output', totalBytes: 10 };
  expect(await open('deliver').mark({ bytes, contentType: 'image/png' })).toEqual({
    bytes,
    mark: { state: 'unmarked', source_type: null, problem: 'the file could not be read or written' },
  });
  const detail = expect.stringMatching(/^its mark was not written: .*ENOENT/);
  expect(warnings).toEqual([['output.imperfect', { taskId: 'task', detail }]]);
});

it('it is no result where the operator wants none without a mark', async () => {
  await expect(open('fail').mark(gif)).rejects.toMatchObject({
    name: 'OutputError',
    message: `the result could not be marked: ${problem}`,
  });
});

it('a file of the caller is not marked as made by a model, and is delivered where none may go without a mark', async () => {
  const { mark, register } = open('fail');
  const problem = 'no model made it: it is the file of the caller';
  expect(await mark(png, { type: undefined })).toEqual({
    bytes: png.bytes,
    mark: { state: 'unmarked', source_type: null, problem },
  });
  expect(await register.metrics()).toContain('mediagate_result_marks_total{state="unmarked"} 0');
});

it('an account marks as the deployment does, but for what it has of its own', () => {
  const deployment = { marks: 'metadata', unmarked: 'fail' } as const;
  expect(markPolicyOf(deployment, null)).toEqual(deployment);
  expect(markPolicyOf(deployment, { marks: 'signed', unmarked: null })).toEqual({ marks: 'signed', unmarked: 'fail' });
  expect(markPolicyOf(deployment, { marks: 'off', unmarked: 'deliver' })).toEqual({
    marks: 'off',
    unmarked: 'deliver',
  });
});

it('a result that is to be signed has XMP alone where the service has no certificate, and says so', async () => {
  const { mark, register } = open('deliver');
  const problem = 'the service has no certificate';
  const unsigned = { state: 'unsigned', source_type: 'trainedAlgorithmicMedia', problem };
  expect(await mark(png, { marks: 'signed' })).toMatchObject({ mark: unsigned });
  expect(await register.metrics()).toContain('mediagate_result_marks_total{state="unsigned"} 1');
});

it('each state is counted from zero', async () => {
  const metrics = await open('deliver').register.metrics();
  for (const state of ['written', 'signed', 'unsigned', 'stated', 'unmarked']) {
    expect(metrics).toContain(`mediagate_result_marks_total{state="${state}"} 0`);
  }
});

describe('where results are signed', () => {
  const from = new Date('2026-11-01T00:00:00Z');
  const signer = openSigner(makeDevelopmentCertificate({ from, days: 30 }));
  const at = (time: string, unmarked: 'deliver' | 'fail' = 'deliver') => {
    const register = new Registry();
    const mark = createResultMarker({ register, logger, signer: () => signer, clock: () => new Date(time) });
    const markOwn = (file: FileToMark, of: Partial<ResultToMark> = {}) =>
      mark(file, { ...result, marks: 'signed', unmarked, ...of });
    return { register, mark: markOwn };
  };

  it('a result has a manifest while the certificate holds', async () => {
    const { mark, register } = at('2026-11-30T23:59:59Z');
    const marked = { state: 'signed', source_type: 'trainedAlgorithmicMedia', problem: null };
    expect(await mark(png)).toMatchObject({ mark: marked });
    expect(await register.metrics()).toContain('mediagate_result_marks_total{state="signed"} 1');
  });

  it('that of an account that wants metadata alone has no manifest', async () => {
    const { mark } = at('2026-11-30T23:59:59Z');
    expect(await mark(png, { marks: 'metadata' })).toMatchObject({ mark: { state: 'written', problem: null } });
  });

  it.each([
    ['2026-12-01T00:00:00Z', 'ended at 2026-12-01T00:00:00.000Z'],
    ['2026-10-31T23:59:59Z', 'begins at 2026-11-01T00:00:00.000Z'],
  ])('at %s it has XMP alone, and the record, the metric and the log say so', async (time, words) => {
    const { mark, register } = at(time);
    warnings.length = 0;
    const problem = `the certificate of the service ${words}`;
    const unsigned = { state: 'unsigned', source_type: 'trainedAlgorithmicMedia', problem };
    expect(await mark(png)).toMatchObject({ mark: unsigned });
    expect(await register.metrics()).toContain('mediagate_result_marks_total{state="unsigned"} 1');
    expect(warnings).toEqual([['output.imperfect', { taskId: 'task', detail: `its mark is not signed: ${problem}` }]]);
  });

  it.each([
    ['has XMP alone', png, 'trainedAlgorithmicMedia'],
    ['stays as its vendor signed it', ofVendor, null],
  ])(
    'one whose signature does not fit %s, says so, and is none where the operator wants all signed',
    async (_what, file, source_type) => {
      const wrong = { ...signer, sign: (claim: Buffer) => signer.sign(claim.subarray(1)) };
      const clock = () => new Date('2026-11-30T00:00:00Z');
      const mark = createResultMarker({ register: new Registry(), logger, signer: () => wrong, clock });
      warnings.length = 0;
      const problem = expect.stringMatching(/^what was signed does not read as valid: /);
      const unsigned = { state: 'unsigned', source_type, problem };
      expect(await mark(file, { ...result, marks: 'signed' })).toMatchObject({ mark: unsigned });
      const detail = expect.stringMatching(/^its mark is not signed: what was signed/);
      expect(warnings).toEqual([['output.imperfect', { taskId: 'task', detail }]]);
      await expect(mark(file, { ...result, marks: 'signed', unmarked: 'fail' })).rejects.toThrow(
        'does not read as valid',
      );
    },
  );

  it('one that its vendor signed is not carried on then, and says so', async () => {
    const problem = 'the certificate of the service ended at 2026-12-01T00:00:00.000Z';
    const { mark } = at('2026-12-01T00:00:00Z');
    expect((await mark(ofVendor)).mark).toEqual({ state: 'unsigned', source_type: null, problem });
    expect((await mark(ofVendor, { marks: 'metadata' })).mark).toMatchObject({ state: 'stated', problem: null });
  });

  it('it is no result where the operator wants none that is not signed', async () => {
    const { mark } = at('2026-12-01T00:00:00Z', 'fail');
    await expect(mark(png)).rejects.toThrow('the certificate of the service ended');
  });
});

const madeOf = { bytes: png.bytes, contentType: 'image/png', actions: ['cropped'] as const };

describe('the files of an output', () => {
  const outputOf = (files: Pick<FetchedOutput, 'cover' | 'parts'>): FetchedOutput => ({
    ...png,
    ...files,
    role: 'video',
    extension: 'png',
    faults: [],
    dispose: async () => undefined,
  });
  const marker = (unmarked: 'deliver' | 'fail') => {
    const { mark } = open(unmarked);
    return (file: FileToMark) => mark(file);
  };

  it('are marked together: main, cover and parts', async () => {
    const { mark, cover, parts } = await markOutput(
      outputOf({ cover: { ...png, madeOf }, parts: [{ ...png, facts: {}, madeOf }] }),
      marker('fail'),
    );
    expect([mark, cover?.mark, parts?.[0]?.mark]).toMatchObject([1, 2, 3].map(() => ({ state: 'written' })));
  });

  it.each([
    ['cover', { cover: { ...gif, madeOf } }],
    ['part', { parts: [{ ...gif, facts: {}, madeOf }] }],
  ])('are no result together, where its %s alone cannot be marked', async (_what, files) => {
    await expect(markOutput(outputOf(files), marker('fail'))).rejects.toThrow(problem);
    expect(await markOutput(outputOf(files), marker('deliver'))).toMatchObject({ mark: { state: 'written' } });
  });
});
