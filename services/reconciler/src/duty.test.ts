import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger } from '@mediagate/host';
import { type Duty, keepRunning } from './duty';

type Bite = Awaited<ReturnType<Duty['run']>>;

/** A duty that does as it is told, one answer a bite, and then has nothing left to do. */
function openDuty(everyMs: number, answers: (() => Bite | Promise<Bite>)[]) {
  const output = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', output });
  const bites = new EventEmitter();
  const counted: number[] = [];
  let begun = 0;
  const duty: Duty = {
    name: 'a-duty',
    everyMs,
    async run() {
      const answer = answers[begun];
      begun += 1;
      bites.emit(`bite ${begun}`);
      return answer === undefined ? { done: 0, more: false } : await answer();
    },
  };
  return {
    start: () => keepRunning(duty, logger, (done) => counted.push(done)),
    /** Resolves when the bite of this number begins. */
    bite: (number: number) => once(bites, `bite ${number}`),
    begun: () => begun,
    counted,
    log: () => String(output.read() ?? ''),
  };
}

const AN_HOUR_MS = 3_600_000;
const done = (count: number, more = false) => ({ done: count, more });

describe('a duty', () => {
  it('begins at once and comes again', async () => {
    const duty = openDuty(1, [() => done(2)]);
    const third = duty.bite(3);
    const stop = duty.start();
    await third;
    await stop();
    expect(duty.counted.slice(0, 2)).toEqual([2, 0]);
    expect(duty.log()).toContain('"count":2,"duty":"a-duty"');
  });

  it('follows a full bite with the next one at once, and waits after one that is not', async () => {
    const duty = openDuty(AN_HOUR_MS, [() => done(5, true), () => done(5, true), () => done(3)]);
    const third = duty.bite(3);
    const stop = duty.start();
    await third;
    await stop();
    expect(duty.counted).toEqual([5, 5, 3]);
  });

  it('goes on after an error, at its own pace, and logs it', async () => {
    const failing = () => {
      throw new Error('the database is away');
    };
    const duty = openDuty(1, [failing, failing, () => done(1)]);
    const fourth = duty.bite(4);
    const stop = duty.start();
    await fourth;
    await stop();
    expect(duty.counted.slice(0, 1)).toEqual([1]);
    const lines = duty.log();
    expect(lines.match(/"message":"duty\.failed"/g)).toHaveLength(2);
    expect(lines).toContain('the database is away');
  });

  it('is stopped once the bite in hand is done, and takes no other', async () => {
    const release = new EventEmitter();
    const slow = async () => {
      await once(release, 'released');
      return done(4, true);
    };
    const duty = openDuty(1, [slow]);
    const first = duty.bite(1);
    const stop = duty.start();
    await first;
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    release.emit('released');
    await stopping;
    expect(duty.counted).toEqual([4]);
    expect(duty.begun()).toBe(1);
  });

  it('that is stopped before its first bite takes none', async () => {
    const duty = openDuty(1, [() => done(1)]);
    await duty.start()();
    expect(duty.begun()).toBe(0);
  });
});
