import type { Fault } from '@mediagate/contracts';
import { createLastingReport, measureCall } from './measure-call';

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

const PLACE = { channelId: 'render', model: 'house-render' };

function reported(faults: readonly (Fault | undefined)[]): string[] {
  const lines: string[] = [];
  const log = (level: string) => (event: string, fields: object) =>
    lines.push(`${level} ${event} ${Object.values(fields).join(' ')}`);
  const report = createLastingReport({ error: log('error'), warn: log('warn') } as never);
  for (const fault of faults) report(PLACE, fault);
  return lines;
}

it('a vendor that refuses the channel is told once for each cause, with the reason', () => {
  const refused = (detail: string): Fault => ({ code: 'operator', detail });
  const details = ['status 401: unknown render key', 'status 401: unknown render key', 'status 404: no such path'];
  expect(reported(details.map(refused))).toEqual([
    'warn channel.refused render house-render status 401: unknown render key',
    'warn channel.refused render house-render status 404: no such path',
  ]);
});

it('what comes every time is an error, whatever the fault, and a second mistake is told within the hour of the first', () => {
  const faults: Fault[] = [
    { code: 'operator', everyTime: true, detail: '"PAUSED" is the state of a job' },
    { code: 'outcome_unknown', everyTime: true, detail: 'no job id at /id' },
  ];
  expect(reported(faults)).toEqual([
    'error channel.mistaken render house-render "PAUSED" is the state of a job',
    'error channel.mistaken render house-render no job id at /id',
  ]);
});

it('of other faults, and of none, operators are not told', () => {
  expect(reported([{ code: 'rate_limited', detail: 'status 429' }, undefined])).toEqual([]);
});
