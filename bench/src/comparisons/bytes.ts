import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison, Outcome } from '../comparison';
import { cpuMicros } from '../machine/cpu';
import { peakMemoryMib } from '../machine/memory';
import { figure, type Goal } from '../measure/figure';
import { auditFaults, mustEqual, openBooks } from '../product/books';
import { startImageWorker } from '../product/services';
import { enqueue, submitTasks, untilEnded } from '../product/tasks';
import type { Stage } from '../stage';

const FULL = 12;
const QUICK = 3;
const IMAGES_EACH = 4;
const IMAGE_MIB = 25;
const LIMIT_MS = 180_000;
const LAG = 'nodejs_eventloop_lag_p99_seconds';

const GOAL = { id: 'P22', measure: 'images of 25 MB in answers, four each, 12 answers at once', unit: 'x' } as const;
const CPU: Goal = { ...GOAL, measure: `${GOAL.measure}: CPU, against its floor`, threshold: { atMost: 2 } };
const MEMORY: Goal = { ...GOAL, measure: 'memory of the worker, peak', threshold: { atMost: 600 }, unit: 'MiB' };
const DELAY: Goal = {
  ...GOAL,
  measure: 'delay of the worker’s event loop, p99',
  threshold: { atMost: 50 },
  unit: 'ms',
};

/** Images that come as base64 in their vendor's answers, from the answer to the stored file, beside a program that only decodes and writes. */
export const bytes: Comparison = {
  name: 'bytes',
  goals: ['P22'],
  async run(stage): Promise<Outcome> {
    const count = stage.quick ? QUICK : FULL;
    const vendor = await stage.startProgram('instruments/large-images.ts', {});
    const floor = await runFloor(stage, vendor.url, count);
    const books = await openBooks(stage, 'product', { accounts: 4 });
    const worker = await startImageWorker(stage, { books, upstreamUrl: vendor.url }, count);
    // Each look begins the figure anew: the worker's start is no part of it.
    await worker.counter(LAG);
    const before = cpuMicros([worker]) ?? Number.NaN;
    const ids = await submitTasks(books, { count, images: IMAGES_EACH });
    await enqueue(stage, 'image', ids);
    const left = await untilEnded(books, LIMIT_MS);
    const product = ((cpuMicros([worker]) ?? Number.NaN) - before) / mib(count);
    const delayMs = 1000 * (await worker.counter(LAG));
    const limit = `${(product / 1000).toFixed(1)} ms a MiB beside ${(floor.cpuMicros / 1000).toFixed(1)}`;
    return {
      figures: [
        figure(CPU, { values: [product / floor.cpuMicros], slices: [], product, reference: floor.cpuMicros, limit }),
        figure(MEMORY, { values: [peakMemoryMib(worker.pid)], slices: [], limit: 'the engine and its libraries' }),
        figure(DELAY, { values: [delayMs], slices: [], limit: `${floor.delayMs.toFixed(0)} ms of its floor` }),
      ],
      faults: [
        ...mustEqual('open', left, 0),
        ...mustEqual('files', await books.count('media_objects'), count * IMAGES_EACH),
        ...(await auditFaults(books)),
      ],
    };
  },
};

function mib(tasks: number): number {
  return tasks * IMAGES_EACH * IMAGE_MIB;
}

interface Floor {
  /** The CPU of a MiB. */
  cpuMicros: number;
  /** Delay of its event loop, p99. */
  delayMs: number;
}

async function runFloor(stage: Stage, url: string, tasks: number): Promise<Floor> {
  const folder = join(stage.directory, 'floor');
  mkdirSync(folder);
  const program = await stage.startProgram('reference/floor-bytes.ts', { FOLDER: folder });
  const before = cpuMicros([program]) ?? Number.NaN;
  const { bytes: taken, delayMs } = await program.order<{ bytes: number; delayMs: number }>({ url, tasks });
  const spent = (cpuMicros([program]) ?? Number.NaN) - before;
  await stage.stop(program);
  if (taken < mib(tasks) * 1024 * 1024) throw new Error(`the floor took ${taken} bytes`);
  return { cpuMicros: spent / mib(tasks), delayMs };
}
