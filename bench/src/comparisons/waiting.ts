import { connect, type Socket } from 'node:net';
import type { TaskId } from '@mediagate/contracts';
import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import { type Figure, figure, type Goal } from '../measure/figure';
import { percentile } from '../measure/statistics';
import { auditFaults, type Books, mustEqual, openBooks } from '../product/books';
import { startApi } from '../product/services';
import { authorization } from '../product/submission-load';
import { completeTasks, submitTasks } from '../product/tasks';
import type { Stage } from '../stage';

const WAITING = { full: 10_000, quick: 1000 };
/** Connections that are opened at once. */
const OPENED_AT_ONCE = 200;
const ENDED = '"status":"completed"';

/** How callers wait, by the path that they ask for. */
const KINDS = {
  wait: (id: TaskId) => `/v1/tasks/${id}?wait=60`,
  events: (id: TaskId) => `/v1/tasks/${id}/events`,
} as const;

type Kind = keyof typeof KINDS;

const memoryGoal = (kind: Kind): Goal => ({
  id: 'P16',
  measure: `memory of the API with 10,000 callers waiting by ${kind}, peak`,
  threshold: { atMost: 512 },
  unit: 'MiB',
});
const lagGoal = (kind: Kind): Goal => ({
  id: 'P16',
  measure: `from the last commit of 10,000 ends to their answers by ${kind}, p99`,
  threshold: { atMost: 5000 },
  unit: 'ms',
});

/** Ten thousand connections that wait, each for a task of its own, all of them by `wait` and then by events; then all tasks end. */
export const waiting: Comparison = {
  name: 'waiting',
  goals: ['P16'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const byWait = await measure(stage, { kind: 'wait', books });
    const byEvents = await measure(stage, { kind: 'events', books });
    return {
      figures: [...byWait.figures, ...byEvents.figures],
      faults: [...byWait.faults, ...byEvents.faults, ...(await auditFaults(books))],
    };
  },
};

/** Measures in an API process of its own. */
async function measure(stage: Stage, { kind, books }: { kind: Kind; books: Books }): Promise<Outcome> {
  const count = stage.quick ? WAITING.quick : WAITING.full;
  const ids = await submitTasks(books, { count });
  const api = await startApi(stage, books);
  const waiters: Waiter[] = [];
  stage.defer(() => {
    for (const { socket } of waiters) socket.destroy();
  });
  for (let from = 0; from < count; from += OPENED_AT_ONCE) {
    const some = ids.slice(from, from + OPENED_AT_ONCE);
    waiters.push(...(await Promise.all(some.map((id) => wait(api.url, KINDS[kind](id), authorization(books))))));
  }
  await completeTasks(books, ids);
  const completedAt = performance.now();
  const ends = await Promise.all(waiters.map(({ ended }) => ended));
  const lags = ends.flatMap((at) => (at === undefined ? [] : [Math.max(0, at - completedAt)]));
  const memory = peakMemoryMib(api.pid);
  await stage.stop(api);
  return {
    figures: [figureOf(memoryGoal(kind), memory), figureOf(lagGoal(kind), percentile(lags, 99))],
    faults: mustEqual(`answers with the end, by ${kind}`, lags.length, count),
  };
}

interface Waiter {
  socket: Socket;
  /** When the end of the task was received; undefined: the connection or the wait was over before. */
  ended: Promise<number | undefined>;
}

/** Resolves once the request is sent. */
function wait(url: string, path: string, headers: Record<string, string>): Promise<Waiter> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${lines.join('')}\r\n`);
      resolve({ socket, ended: untilEnded(socket) });
    });
    socket.once('error', reject);
  });
}

function untilEnded(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes(ENDED)) resolve(performance.now());
    });
    socket.on('close', () => resolve(undefined)).on('error', () => resolve(undefined));
  });
}

function figureOf(goal: Goal, value: number): Figure {
  return figure(goal, { values: [value], slices: [], limit: 'the engine and its connections' });
}
