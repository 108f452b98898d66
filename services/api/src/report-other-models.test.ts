import { createLogger } from '@mediagate/host';
import { Registry } from 'prom-client';
import { createOtherModelReport } from './report-other-models';

it('an answer of another model is counted each time, and logged once for each pair of models', async () => {
  const metrics = new Registry();
  const logger = createLogger({ service: 'api', level: 'silent' });
  const warn = jest.spyOn(logger, 'warn');
  const report = createOtherModelReport({ logger, metrics });
  const other = { channelId: 'text-main', model: 'text-2.5-pro', asked: 'pro', answered: 'flash' };
  for (const answered of ['flash', 'flash', 'lite']) report({ ...other, answered });
  expect(warn).toHaveBeenCalledTimes(2);
  const [counter] = await metrics.getMetricsAsJSON();
  expect(counter?.values).toEqual([{ labels: { channel: 'text-main', model: 'text-2.5-pro' }, value: 3 }]);
});
