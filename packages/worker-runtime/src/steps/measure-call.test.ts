import { measureCall } from './measure-call';

it('a place that the configuration has wrong is told to operators, although the job is done', async () => {
  const told: unknown[] = [];
  const deps = {
    metrics: { calls: { measure: (_: unknown, ask: () => Promise<unknown>) => ask() } },
    reportLasting: (...reported: unknown[]) => told.push(reported),
  };
  const run = { current: { channel: { id: 'render' } }, task: { id: 'task_1', model: 'house-render' } };
  const done = { kind: 'done', mistake: 'no decimal number at /gpu_second' };
  expect(await measureCall(run as never, 'check', { ask: async () => done }, deps as never)).toBe(done);
  const fault = { code: 'operator', everyTime: true, detail: 'no decimal number at /gpu_second' };
  expect(told).toEqual([[{ channelId: 'render', model: 'house-render' }, fault]]);
});
