import { connect, type Socket } from 'node:net';
import type { TaskId } from '@mediagate/contracts';
import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import { type Figure, figure, type Goal } from '../measure/figure';
import { percentile } from '../measure/statistics';
import { auditFaults, mustEqual, openBooks } from '../product/books';
import { startApi } from '../product/services';
import { authorization } from '../product/submission-load';
import { completeTasks, submitTasks } from '../product/tasks';

const WAITING = { full: 10_000, quick: 1000 };
/** Connections that are opened at once. */
const OPENED_AT_ONCE = 200;
const ENDED = '"status":"completed"';

const MEMORY: Goal = {
  id: 'P16',
  measure: 'memory of the API with 10,000 callers waiting, peak',
  threshold: { atMost: 512 },
  unit: 'MiB',
};
const LAG: Goal = {
  id: 'P16',
  measure: 'from the last commit of 10,000 ends to their answers, p99',
  threshold: { atMost: 5000 },
  unit: 'ms',
};

/** Ten thousand connections that wait, each for a task of its own, one half by `wait` and one by events; then all tasks end. */
export const waiting: Comparison = {
  name: 'waiting',
  goals: ['P16'],
  async run(stage): Promise<Outcome> {
    const count = stage.quick ? WAITING.quick : WAITING.full;
    const books = await openBooks(stage, 'product');
    const ids = await submitTasks(books, { count });
    const api = await startApi(stage, books);
    const waiters: Waiter[] = [];
    stage.defer(() => {
      for (const { socket } of waiters) socket.destroy();
    });
    for (let from = 0; from < count; from += OPENED_AT_ONCE) {
      const some = ids.slice(from, from + OPENED_AT_ONCE);
      waiters.push(
        ...(await Promise.all(some.map((id, index) => wait(api.url, pathOf(id, index), authorization(books))))),
      );
    }
    await completeTasks(books, ids);
    const completedAt = performance.now();
    const ends = await Promise.all(waiters.map(({ ended }) => ended));
    const lags = ends.flatMap((at) => (at === undefined ? [] : [Math.max(0, at - completedAt)]));
    return {
      figures: [figureOf(MEMORY, peakMemoryMib(api.pid)), figureOf(LAG, percentile(lags, 99))],
      faults: [...mustEqual('answers with the end', lags.length, count), ...(await auditFaults(books))],
    };
  },
};

function pathOf(id: TaskId, index: number): string {
  return index % 2 === 0 ? `/v1/tasks/${id}?wait=60` : `/v1/tasks/${id}/events`;
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
