import { EventEmitter, once } from 'node:events';
import { run } from '../src';
import type { Scope } from '../src/scope';

/** Scenarios for the process: each is one reason for it to end, or not to. */
const SCENARIOS = {
  /** Two drains that end only when both have begun, and three closers. */
  async orderly(scope: Scope) {
    const drains = new EventEmitter();
    scope.onDrain('first', async () => {
      scope.logger.info('drain.first_begun');
      await once(drains, 'second');
      scope.logger.info('drain.first_done');
    });
    scope.onDrain('second', () => {
      scope.logger.info('drain.second_begun');
      drains.emit('second');
    });
    for (const name of ['database', 'queues', 'server']) {
      scope.defer(name, () => {
        scope.logger.info(`close.${name}`);
        if (name === 'queues') throw new Error('queues would not close');
      });
    }
  },
  /** A drain without an end. */
  async stuck(scope: Scope) {
    scope.onDrain('work', () => new Promise(() => {}));
    scope.defer('database', () => scope.logger.info('close.database'));
  },
  async rejecting(scope: Scope) {
    scope.onReload('trigger', () => void Promise.reject(new Error('forgotten promise')));
  },
  async throwing(scope: Scope) {
    scope.onReload('trigger', () => void setImmediate(() => fail('thrown in the background')));
  },
  async unstartable() {
    fail('the port is taken');
  },
  /** Starts for ever, until its shutdown takes something away. */
  async starting(scope: Scope) {
    const taken = new AbortController();
    scope.defer('database', () => taken.abort());
    scope.logger.info('test.starting');
    await once(new EventEmitter(), 'served', { signal: taken.signal });
  },
  /** Two things read again; the second does not fit. */
  async reloadable(scope: Scope) {
    scope.onReload('prices', () => {
      scope.logger.info('reload.prices');
      return { digest: '0123456789ab' };
    });
    scope.onReload('channels', () => fail('channels: a fault in line 3'));
  },
  /** Writes to a closed pipe, and then ends in good order. */
  async talkative(scope: Scope) {
    const talk = () => {
      for (let line = 0; line < 50; line += 1) scope.logger.info('test.talking');
    };
    scope.onReload('talk', () => void talk());
    scope.onDrain('talk', talk);
  },
  async plain() {},
};

export type Scenario = keyof typeof SCENARIOS;

function fail(message: string): never {
  throw new Error(message);
}

const scenario = SCENARIOS[process.argv[2] as Scenario];
// Holds the process as a server would.
setInterval(() => {}, 60_000);
void run({ name: 'under-test', main: scenario, drainSeconds: 1 });
