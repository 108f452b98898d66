import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger, ProcessScope } from '@mediagate/host';
import { type Job, RunningJob, runJobs } from './job';

type Batch = Awaited<ReturnType<Job['run']>>;

/** A job that returns the given results, one a batch, and then has nothing left to do. */
function openJob(everyMs: number, answers: (() => Batch | Promise<Batch>)[]) {
  const output = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', output });
  const batches = new EventEmitter();
  const counted: number[] = [];
  let begun = 0;
  const job: Job = {
    name: 'a-job',
    everyMs,
    async run() {
      const answer = answers[begun];
      begun += 1;
      batches.emit(`batch ${begun}`);
      return answer === undefined ? { done: 0, more: false } : await answer();
    },
  };
  return {
    start: (now?: () => number) =>
      new RunningJob(job, { logger, onRun: (done) => counted.push(done), ...(now && { now }) }),
    /** Resolves when the batch of this number begins. */
    batch: (number: number) => once(batches, `batch ${number}`),
    begun: () => begun,
    counted,
    log: () => String(output.read() ?? ''),
  };
}

const AN_HOUR_MS = 3_600_000;
const done = (count: number, more = false) => ({ done: count, more });

describe('a job', () => {
  it('begins at once and comes again', async () => {
    const job = openJob(1, [() => done(2)]);
    const third = job.batch(3);
    const running = job.start();
    await third;
    await running.stop();
    expect(job.counted.slice(0, 2)).toEqual([2, 0]);
    expect(job.log()).toContain('"job":"a-job","count":2');
  });

  it('follows a full batch with the next one at once, and waits after one that is not', async () => {
    const job = openJob(AN_HOUR_MS, [() => done(5, true), () => done(5, true), () => done(3)]);
    const third = job.batch(3);
    const running = job.start();
    await third;
    await running.stop();
    expect(job.counted).toEqual([5, 5, 3]);
  });

  const failing = () => {
    throw new Error('the database is away');
  };
  /** How often the job had failed, by each line of the log about that. */
  const failures = (log: string) =>
    log
      .split('\n')
      .filter((line) => line.includes('"message":"job.failed"'))
      .map((line) => JSON.parse(line).count);

  it('goes on after an error, at its own pace, and logs the first of those that follow each other and the rest once', async () => {
    const job = openJob(1, [failing, failing, failing, () => done(1), failing]);
    const sixth = job.batch(6);
    const running = job.start();
    await sixth;
    await running.stop();
    expect(job.counted.slice(0, 1)).toEqual([1]);
    const lines = job.log();
    expect(lines).toContain('the database is away');
    expect(failures(lines)).toEqual([1, 2, 1]);
  });

  it('that is stopped while it fails has logged every failure', async () => {
    const job = openJob(1, [failing, failing, failing, failing]);
    const fourth = job.batch(4);
    const running = job.start();
    await fourth;
    await running.stop();
    expect(failures(job.log())).toEqual([1, 3]);
  });

  it('is stopped once the batch under way is done, and takes no other', async () => {
    const release = new EventEmitter();
    const slow = async () => {
      await once(release, 'released');
      return done(4, true);
    };
    const job = openJob(1, [slow]);
    const first = job.batch(1);
    const running = job.start();
    await first;
    let stopped = false;
    const stopping = running.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    release.emit('released');
    await stopping;
    expect(job.counted).toEqual([4]);
    expect(job.begun()).toBe(1);
  });

  it('that is stopped before its first batch takes none', async () => {
    const job = openJob(1, [() => done(1)]);
    await job.start().stop();
    expect(job.begun()).toBe(0);
  });

  it('is alive while batches end, however they do, and not once one has not for long', async () => {
    let time = 0;
    const release = new EventEmitter();
    const failing = () => {
      throw new Error('the database is away');
    };
    const slow = async () => {
      await once(release, 'released');
      return done(1);
    };
    const job = openJob(1000, [failing, slow]);
    const [first, second] = [job.batch(1), job.batch(2)];
    const running = job.start(() => time);
    time = 10 * AN_HOUR_MS;
    expect(running.isAlive()).toBe(false);
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(running.isAlive()).toBe(true);
    await second;
    time += 600_000 + 2999;
    expect(running.isAlive()).toBe(true);
    time += 1;
    expect(running.isAlive()).toBe(false);
    const stopping = running.stop();
    expect(running.isAlive()).toBe(true);
    release.emit('released');
    await stopping;
  });
});

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
