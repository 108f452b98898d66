import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createVirtualClock } from '../src/clock';
import { createFaultChooser } from '../src/faults/chooser';
import { createJobStore, MAX_JOBS } from '../src/jobs/job-store';
import { MAX_REPEATED_ENTRIES } from '../src/journal/journal';
import type { Call } from '../src/vendor-call/contract';
import { jobWires } from './job-wires';
import { startUnderTest } from './simulator-under-test';

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

it('thousands of checks push no start out of the journal', async () => {
  const simulator = await startUnderTest({ videoMs: 1_000 });
  const wire = jobWires(() => simulator.url).skyreels;
  const started = await wire.start('x [[sim:stuck]]');
  const id = wire.idOf(await started.json());
  for (let round = 0; round < MAX_REPEATED_ENTRIES / 50 + 2; round += 1) {
    await Promise.all(Array.from({ length: 50 }, async () => (await wire.check(id)).text()));
  }
  const entries = await simulator.journal();
  expect(entries.filter(({ operation }) => operation === 'check')).toHaveLength(MAX_REPEATED_ENTRIES);
  expect(entries[0]).toMatchObject({ operation: 'start', accepted: true, externalId: id });
  await simulator.close();
});

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
