import { PassThrough } from 'node:stream';
import { createLogger, ProcessScope } from '@mediagate/host';
import type { Job } from './job';
import { runJobs } from './run-jobs';

it('closes every job once its last batch is done, also where one of them fails to close', async () => {
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', output: new PassThrough() });
  const scope = new ProcessScope(logger);
  const done: string[] = [];
  const leased = (name: string, isBroken: boolean): Job => ({
    name,
    everyMs: 1,
    async run() {
      return { done: 0, more: false };
    },
    async close() {
      done.push(name);
      if (isBroken) throw new Error('the database is away');
    },
  });
  runJobs(scope, [leased('first', true), leased('second', false)]);
  await scope.drain();
  expect(done).toEqual(['first', 'second']);
});
