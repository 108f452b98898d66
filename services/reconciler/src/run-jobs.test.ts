import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger, ProcessScope } from '@mediagate/host';
import { type Job, runJobs } from './job';

it('closes every job once its last batch is done, also where one of them fails to close', async () => {
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', output: new PassThrough() });
  const scope = new ProcessScope(logger);
  const batches = new EventEmitter();
  const end = once(batches, 'end');
  const done: string[] = [];
  const leased = (name: string, isBroken: boolean): Job => ({
    name,
    everyMs: 1,
    async run() {
      batches.emit(name);
      await end;
      done.push(`${name}: last batch`);
      return { done: 0, more: false };
    },
    async close() {
      done.push(`${name}: closed`);
      if (isBroken) throw new Error('the database is away');
    },
  });
  const begun = Promise.all([once(batches, 'first'), once(batches, 'second')]);
  runJobs(scope, [leased('first', true), leased('second', false)]);
  await begun;
  const drained = scope.drain();
  expect(done).toEqual([]);
  batches.emit('end');
  await drained;
  for (const name of ['first', 'second']) {
    const own = done.filter((each) => each.startsWith(name));
    expect(own.slice(-2)).toEqual([`${name}: last batch`, `${name}: closed`]);
    expect(own.filter((each) => each.endsWith('closed'))).toHaveLength(1);
  }
});
