import type { WorkerOffer } from './handed-task';
import { type IdleConnection, IdleWorkers } from './idle-workers';

const OFFER: WorkerOffer = { leaseMs: 1000, channels: { speech: { channelId: 'one', protocol: 'p' } } };

function connection(name: string, over: { openedAt?: number; heardAt?: number; isLeaving?: boolean } = {}) {
  const now = performance.now();
  const ended: string[] = [];
  const handed: string[] = [];
  const fake: IdleConnection = {
    openedAt: now,
    heardAt: now,
    workerTime: now,
    isLeaving: false,
    ...over,
    hand: () => void handed.push(name),
    end: () => void ended.push(name),
  };
  return { fake, ended, handed };
}

const workers = (max = 10) => new IdleWorkers({ max, maxAgeMs: 1000, heardWithinMs: 500 });

describe('workers that wait for a task', () => {
  it('are taken once each, the last to come first', () => {
    const [first, second] = [connection('first'), connection('second')];
    const idle = workers();
    idle.add(first.fake, OFFER);
    idle.add(second.fake, OFFER);
    for (let times = 0; times < 2; times += 1) {
      const worker = idle.take('speech');
      if (worker) idle.hand(worker, {} as never, {} as never);
    }
    expect([first.handed, second.handed, idle.take('speech')]).toEqual([['first'], ['second'], undefined]);
  });

  it('are not taken for what they do not offer, whatever its name, nor while they are silent', () => {
    const idle = workers();
    idle.add(connection('silent', { heardAt: performance.now() - 600 }).fake, OFFER);
    expect(idle.take('speech')).toBeUndefined();
    idle.add(connection('alive').fake, OFFER);
    expect(idle.take('constructor')).toBeUndefined();
    expect(idle.take('speech')).toMatchObject({ channelId: 'one', leaseMs: 1000 });
  });

  it('are closed where there are as many as may be, where they are old, and where they leave', () => {
    const idle = workers(1);
    const old = connection('old', { openedAt: performance.now() - 1100 });
    const leaving = connection('leaving', { isLeaving: true });
    const kept = connection('kept');
    const surplus = connection('surplus');
    for (const { fake } of [old, leaving, kept, surplus]) idle.add(fake, OFFER);
    expect([old.ended, leaving.ended, kept.ended, surplus.ended]).toEqual([['old'], ['leaving'], [], ['surplus']]);
  });

  it('are not taken once they are old, and are closed whoever came before them', () => {
    const idle = workers();
    const now = performance.now();
    const young = connection('young');
    const aging = connection('aging');
    idle.add(young.fake, OFFER);
    idle.add(aging.fake, OFFER);
    Object.assign(aging.fake, { openedAt: now - 1100 });
    const worker = idle.take('speech');
    if (worker) idle.hand(worker, {} as never, {} as never);
    expect([young.handed, aging.handed, aging.ended]).toEqual([['young'], [], ['aging']]);
  });
});
