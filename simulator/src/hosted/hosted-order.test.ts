import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { officialModels } from '../replicate/models';
import type { VideoTools } from '../vendor';
import { orderOf } from './hosted-order';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const [model] = Object.values(officialModels).filter(({ makes }) => makes === 'images');

it('keeps nothing of a long prompt but its beginning', async () => {
  if (model === undefined) throw new Error('there is no model of images');
  const before = usedBytes();
  const orders: unknown[] = [];
  for (let job = 0; job < 50; job += 1) {
    orders.push(await orderOf(JSON.parse(`{"prompt": "${job} ${'w'.repeat(1_000_000)}"}`), model, {} as VideoTools));
  }
  expect(orders).toContainEqual({
    images: [expect.objectContaining({ prompt: expect.stringMatching(/^49 w{1997}$/) })],
  });
  expect((usedBytes() - before) / orders.length).toBeLessThan(10_000);
});

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
