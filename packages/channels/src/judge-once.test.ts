import type { JsonObject } from '@mediagate/contracts';
import type { PartReader } from '@mediagate/settings';
import { judgeOnce } from './judge-once';

it('judges a channel again when it is written otherwise, and not before', () => {
  const channel = jest.fn(({ weight }: JsonObject) => ({ kind: 'faulty', faults: [{ field: String(weight) }] }));
  const { channel: judge } = judgeOnce({ channel } as unknown as PartReader);
  const judged = [1, 1, 2, 1].map((weight) => judge({ id: 'a', weight }));
  expect(judged).toMatchObject(['1', '1', '2', '1'].map((field) => ({ faults: [{ field }] })));
  expect(channel).toHaveBeenCalledTimes(2);
});

it('judges every channel again once the file describes other models', () => {
  const channel = jest.fn(() => ({ kind: 'faulty', faults: [] }));
  let models: unknown[] = [];
  const { channel: judge } = judgeOnce({ channel, models: () => models } as unknown as PartReader);
  for (const described of [models, models, [], models]) {
    models = described;
    judge({ id: 'a' });
  }
  expect(channel).toHaveBeenCalledTimes(3);
});
