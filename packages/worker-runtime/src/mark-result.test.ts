import { Registry } from 'prom-client';
import { createResultMarker } from './mark-result';

const gif = { bytes: Buffer.from('GIF89a'), contentType: 'image/gif' };
const problem = 'image/gif carries no XMP';

it('a result that cannot be marked is delivered, said so and counted', async () => {
  const register = new Registry();
  const mark = createResultMarker({ marks: 'metadata', unmarked: 'deliver' }, register);
  const unmarked = { state: 'unmarked', source_type: null, problem };
  expect(await mark?.(gif, 'trainedAlgorithmicMedia')).toEqual({ bytes: gif.bytes, mark: unmarked });
  expect(await register.metrics()).toContain('mediagate_result_marks_total{state="unmarked"} 1');
});

it('it is no result where the operator wants none without a mark', async () => {
  const mark = createResultMarker({ marks: 'metadata', unmarked: 'fail' }, new Registry());
  await expect(mark?.(gif, 'trainedAlgorithmicMedia')).rejects.toMatchObject({
    name: 'OutputError',
    message: `the result could not be marked: ${problem}`,
  });
});

it('there is no marker where the operator wants no marks, but the metric', async () => {
  const register = new Registry();
  expect(createResultMarker({ marks: 'off', unmarked: 'deliver' }, register)).toBeUndefined();
  expect(await register.metrics()).toContain('mediagate_result_marks_total');
});
