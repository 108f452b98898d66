import type { Outcome } from '../../comparison';
import { databaseBytes, redisMemory } from '../../machine/counters';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { auditFaults, openBooks } from '../../product/books';
import { speechThroughProduct, textThroughProduct, writeFastChannels } from '../../product/fast-paths';
import { httpContender } from '../../product/http-contender';
import { startApi, startSpeechWorker } from '../../product/services';
import { streamContender } from '../../product/stream-contender';
import { authorization, submissionTo } from '../../product/submission-load';
import { completeTasks, submitTasks } from '../../product/tasks';
import type { Stage } from '../../stage';
import { CostMeter } from './meter';

const CALLERS = 16;
const POLLED_TASKS = 2000;

const REDIS_OF_JOB: Goal = {
  id: 'P20',
  measure: 'KiB of Redis of a job that waits',
  threshold: { atMost: 4 },
  unit: 'x',
};
const DISK_OF_TASK: Goal = { ...REDIS_OF_JOB, measure: 'KiB of PostgreSQL of a submission', threshold: { atMost: 8 } };

/** Submissions, polls, texts and speeches, each by itself, of an API and a speech worker. */
export async function costOfFastPaths(stage: Stage): Promise<Outcome> {
  const { books, services, sides } = await openPaths(stage);
  const system = { servers: stage.servers, databaseUrl: books.url, services };
  const meter = await CostMeter.open(system, 'one API and one speech worker');
  const { sliceMs } = stage.pace;
  const measure = (name: string, side: keyof typeof sides, maxTransactions: number) =>
    meter.measure({ name: `${name}, ${CALLERS} callers`, maxTransactions }, async () => {
      return (await sides[side].slice(sliceMs)).count;
    });
  await measure('a poll', 'poll', 1);
  await measure('a text', 'text', 2);
  await measure('a speech of 1 MB', 'speech', 5);
  const before = await sizes(stage, books.url);
  await measure('a submission', 'submit', 1);
  const after = await sizes(stage, books.url);
  const faults = [...Object.values(sides).flatMap((side) => side.faults()), ...(await auditFaults(books))];
  const submitted = sides.submit.answers();
  const kib = (goal: Goal, which: keyof Sizes, of: number, limit: string): Figure =>
    figure(goal, { values: [(after[which] - before[which]) / 1024 / of], slices: [], limit });
  return {
    figures: [
      ...meter.figures,
      kib(REDIS_OF_JOB, 'redis', Math.min(submitted, WINDOW), `${WINDOW} of them`),
      kib(DISK_OF_TASK, 'disk', submitted, 'task, reservation, entry of the ledger, their indexes'),
    ],
    faults,
  };
}

async function openPaths(stage: Stage) {
  const books = await openBooks(stage, 'fast');
  const polled = await submitTasks(books, { count: POLLED_TASKS });
  await completeTasks(books, polled);
  const vendor = await stage.startProgram('instruments/fast-upstream.ts', {});
  const channels = writeFastChannels(stage, vendor.url);
  const tts = await startSpeechWorker(stage, books, channels);
  const api = await startApi(stage, books, { MEDIAGATE_CONFIG: channels });
  const polls = { headers: authorization(books), url: api.url, paths: polled.map((id) => `/v1/tasks/${id}`) };
  const text = { ...textThroughProduct(api.url, books), method: 'POST', connections: CALLERS } as const;
  const speech = { request: speechThroughProduct(api.url, books), callers: CALLERS };
  const sides = {
    submit: httpContender(stage, 'submit', api.pid, submissionTo(api.url, books, CALLERS)),
    poll: httpContender(stage, 'poll', api.pid, { ...polls, method: 'GET', connections: CALLERS }),
    text: httpContender(stage, 'text', api.pid, text),
    speech: streamContender(stage, { name: 'speech', pids: [api.pid, tts.pid], ...speech }),
  };
  return { books, services: { api, tts }, sides };
}

/** Starts of a family that Redis has at most, whatever else waits. */
const WINDOW = 500;

interface Sizes {
  redis: number;
  disk: number;
}

async function sizes(stage: Stage, url: string): Promise<Sizes> {
  return { redis: await redisMemory(stage.servers), disk: await databaseBytes(url) };
}
