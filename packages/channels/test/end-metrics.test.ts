import type { FinishedTask } from '@mediagate/billing';
import { Registry } from 'prom-client';
import { createEndMetrics, knownLabels } from '../src';

const ENDED: FinishedTask = {
  family: 'video',
  model: 'videoa-2.6',
  isTest: false,
  channelId: 'videos',
  seconds: 700,
  chargedNano: 2_500_000_000n,
  costNano: 1_250_000_000n,
  overrunNano: 0n,
};

function openMetrics() {
  const register = new Registry();
  const channels = { find: (id: string) => (id === 'videos' ? ({ id } as never) : undefined) };
  const count = createEndMetrics(register, knownLabels({ catalogue: { entries: [{ id: 'videoa-2.6' }] }, channels }));
  return { count, text: () => register.metrics() };
}

describe('metrics of ended tasks', () => {
  it('take a video of ten minutes and more into a bucket of its own', async () => {
    const { count, text } = openMetrics();
    count(ENDED);
    const labels = 'family="video",model="videoa-2.6",status="completed"';
    expect(await text()).toContain(`mediagate_task_duration_seconds_bucket{le="600",${labels}} 0`);
    expect(await text()).toContain(`mediagate_task_duration_seconds_bucket{le="1200",${labels}} 1`);
    expect(await text()).toContain('mediagate_task_duration_seconds_bucket{le="3600"');
  });

  it('add up charge and cost of a channel in currency units', async () => {
    const { count, text } = openMetrics();
    count(ENDED);
    count({ ...ENDED, costNano: undefined });
    expect(await text()).toContain('mediagate_charged_units_total{channel="videos"} 5\n');
    expect(await text()).toContain('mediagate_vendor_cost_units_total{channel="videos"} 1.25\n');
    expect(await text()).toContain('mediagate_vendor_cost_unknown_total{channel="videos"} 1\n');
  });

  it('count a refund by its reason, and no money where no vendor was asked', async () => {
    const { count, text } = openMetrics();
    count({ ...ENDED, channelId: undefined, chargedNano: 0n, costNano: 0n, reason: 'timeout' });
    expect(await text()).toContain('mediagate_task_failures_total{family="video",reason="timeout"} 1\n');
    expect(await text()).not.toContain('mediagate_charged_units_total{');
  });

  it('leave out tasks of test keys, which fail as their caller wishes', async () => {
    const { count, text } = openMetrics();
    const before = await text();
    count({ ...ENDED, isTest: true, reason: 'no_upstream', overrunNano: 1n });
    expect(await text()).toBe(before);
  });

  it('fold models and channels that no file names, however many come', async () => {
    const { count, text } = openMetrics();
    for (const id of ['one', 'two', 'three']) count({ ...ENDED, model: id, channelId: id });
    const seen = [...(await text()).matchAll(/(?:model|channel)="([^"]+)"/g)].map(([, value]) => value);
    expect(new Set(seen)).toEqual(new Set(['other', 'videoa-2.6', 'moderation-latest']));
  });

  it('know overruns of every model as zero before the first, which an alert compares with', async () => {
    const { count, text } = openMetrics();
    expect(await text()).toContain('mediagate_overruns_total{model="videoa-2.6"} 0\n');
    count({ ...ENDED, overrunNano: 1n });
    expect(await text()).toContain('mediagate_overruns_total{model="videoa-2.6"} 1\n');
  });
});
