import { signedPng } from '../../test/generic-upstream/png';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { nameInputs } from './name-inputs';

const deps = {
  marksOf: () => ({ marks: 'signed', unmarked: 'deliver' }),
  store: { ownsUrl: () => false },
  logger: { warn: () => undefined },
} as unknown as WorkerDeps;

/** A step that was given a file of this size under each of the fields. */
function runWith(bytes: Buffer, fields: readonly string[]): Run {
  return {
    task: { id: 'task_1', input: {} },
    signal: new AbortController().signal,
    media: fields.map((field) => ({ field, bytes, contentType: 'image/png' })),
    entry: {
      callersPart: () => 'some',
      media: () => fields.map((field) => ({ field, url: `https://files.example/${field}` })),
    },
  } as unknown as Run;
}

it('an input whose own manifest is valid brings it along, and one that has none does not', async () => {
  const [input] = await nameInputs(runWith(signedPng(), ['image_url']), deps);
  expect(input).toMatchObject({ title: 'image_url', contentType: 'image/png' });
  expect(input?.store?.includes('ExampleModels')).toBe(true);
  const changed = signedPng();
  changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20);
  const [other] = await nameInputs(runWith(changed, ['image_url']), deps);
  expect(other).toEqual({ title: 'image_url', contentType: 'image/png', sha256: expect.any(String) });
});

it('manifests of inputs are carried on up to a limit for all together', async () => {
  const fields = Array.from({ length: 400 }, (_, index) => `image_urls[${index}]`);
  const inputs = await nameInputs(runWith(signedPng(), fields), deps);
  const carried = inputs.flatMap(({ store }) => store ?? []);
  expect(carried.length).toBeGreaterThan(1);
  expect(carried.length).toBeLessThan(fields.length);
  expect(carried.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(512 * 1024);
});
