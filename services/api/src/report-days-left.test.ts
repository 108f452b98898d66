import { Registry } from 'prom-client';
import { reportDaysLeft } from './report-days-left';

it('the days that vendors still serve models are measured anew at each reading, by the file of the moment', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const served = (days: number) => ({ name: 'vendor-model', served_until: inDays(days) });
  let file = new Map([
    ['first', { models: { speech: served(44), text: 'lasting' } }],
    ['second', { models: { image: served(-3) } }],
  ]);
  const metrics = new Registry();
  reportDaysLeft(metrics, () => file);
  const figures = async () => (await metrics.getMetricsAsJSON())[0]?.values.map(({ labels, value }) => [labels, value]);
  expect(await figures()).toEqual([
    [{ channel: 'first', model: 'speech' }, 44],
    [{ channel: 'second', model: 'image' }, -3],
  ]);
  file = new Map();
  expect(await figures()).toEqual([]);
});
