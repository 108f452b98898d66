import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createVirtualClock } from '../clock';
import { createFaultChooser } from '../faults/chooser';
import type { Call } from '../vendor-call/contract';
import { createJobStore, MAX_JOBS } from './job-store';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A call whose prompt asks for faults, as far as a job store reads it. */
const chooser = createFaultChooser({ now: Date.now });
const callFor = (prompt: string): Call => {
  const faults = chooser.choose({ wire: 'kling', path: '', model: '', prompt });
  return { faults } as Call;
};

const newStore = () => {
  const clock = createVirtualClock();
  let last = 0;
  const newId = () => {
    last += 1;
    return String(last);
  };
  const terms = { clock, jobMs: 1_000 };
  const store = createJobStore<undefined>(terms, { wire: 'kling', newId, idDays: 7, linkDays: 1 });
  const add = (prompt: string) => store.add({ model: 'm', prompt, detail: undefined }, callFor(prompt));
  return { store, clock, add };
};

describe('a job store', () => {
  it('holds 20,000 stuck jobs in less than 2 kilobytes each, whatever the length of their prompts', () => {
    const { store, clock, add } = newStore();
    const words = 'w'.repeat(5_000);
    const before = usedBytes();
    for (let job = 0; job < 20_000; job += 1) add(`${job} ${words} [[sim:stuck]]`);
    expect((usedBytes() - before) / 20_000).toBeLessThan(2_048);
    clock.advance(3_600_000);
    const states = store.all().map((job) => store.state(job));
    expect([states.length, new Set(states)]).toEqual([20_000, new Set(['running'])]);
  });

  it('forgets the oldest when it is full', () => {
    const { store, add } = newStore();
    for (let job = 0; job < MAX_JOBS + 5; job += 1) add('x');
    expect([store.all().length, store.find('5'), store.find('6')?.id]).toEqual([MAX_JOBS, undefined, '6']);
  });
});

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
