import { createLogger } from '@mediagate/host';
import { Registry } from 'prom-client';
import { createAnnouncedEnds, reportDaysLeft } from './report-days-left';

it('the days that vendors still serve models are measured anew at each reading, by the file of the moment and the vendors’ own word', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const served = (days: number) => ({ name: 'vendor-model', served_until: inDays(days) });
  let file = new Map([
    ['first', { models: { speech: served(44), text: 'lasting' } }],
    ['second', { models: { image: served(-3) } }],
  ]);
  const metrics = new Registry();
  const ends = createAnnouncedEnds(createLogger({ service: 'test', level: 'silent' }));
  reportDaysLeft(metrics, () => file, ends);
  const figures = async () => (await metrics.getMetricsAsJSON())[0]?.values.map(({ labels, value }) => [labels, value]);
  expect(await figures()).toEqual([
    [{ channel: 'first', model: 'speech' }, 44],
    [{ channel: 'second', model: 'image' }, -3],
  ]);
  const heed = (channelId: string, model: string, servedUntil: string | undefined) =>
    ends.heed({ channelId, model, servedUntil, words: '' });
  heed('first', 'vendor-model', inDays(60));
  heed('first', 'lasting', inDays(9));
  heed('second', 'vendor-model', inDays(-5));
  heed('second', 'another', inDays(1));
  heed('third', 'lasting', inDays(1));
  expect(await figures()).toEqual([
    [{ channel: 'first', model: 'speech' }, 44],
    [{ channel: 'first', model: 'text' }, 9],
    [{ channel: 'second', model: 'image' }, -5],
  ]);
  heed('first', 'lasting', undefined);
  expect(await figures()).not.toContainEqual([{ channel: 'first', model: 'text' }, 9]);
  file = new Map();
  expect(await figures()).toEqual([]);
});
