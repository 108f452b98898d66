import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { type FollowOptions, followTask } from './follow-task.ts';
import { isEnded } from './is-ended.ts';
import { isPassing } from './retry-delay.ts';
import { sleep } from './sleep.ts';
import type { EndedTask, TaskRecord } from './types.ts';

export interface WaitOptions extends FollowOptions {
  /** Is given each record that arrives: progress, `next_action`. One may come twice. */
  onUpdate?: (task: TaskRecord) => void;
}

const POLL_INTERVAL_MS = 3_000;
/** How long the gateway may be out of reach, for example while it is deployed. */
const OUTAGE_MS = 120_000;

/** The task once it has ended, completed or failed: by its events, or by polls where those cannot be received. */
export async function waitForTask(
  connection: Connection,
  taskId: string,
  options: WaitOptions = {},
): Promise<EndedTask> {
  try {
    for await (const task of followTask(connection, taskId, options)) {
      options.onUpdate?.(task);
      if (isEnded(task)) return task;
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
  }
  return poll(connection, taskId, options);
}

async function poll(connection: Connection, taskId: string, options: WaitOptions): Promise<EndedTask> {
  let lastAnswerAt = Date.now();
  let last: Polled | undefined;
  for (;;) {
    try {
      last = await readTask(connection, taskId, { ...options, last });
      lastAnswerAt = Date.now();
      options.onUpdate?.(last.task);
      if (isEnded(last.task)) return last.task;
    } catch (error) {
      if (!isPassing(error) || Date.now() - lastAnswerAt > OUTAGE_MS) throw error;
    }
    await sleep(POLL_INTERVAL_MS, options.signal);
  }
}

interface Polled {
  task: TaskRecord;
  /** Null: nothing on the way passed it on. */
  etag: string | null;
}

/** Reads the record; the gateway does not send it again if it has not changed since `last`. */
async function readTask(
  connection: Connection,
  taskId: string,
  { language, signal, last }: WaitOptions & { last: Polled | undefined },
): Promise<Polled> {
  const { answer, headers } = await connection.askWithHeaders<{ data: TaskRecord } | undefined>({
    method: 'GET',
    path: `/v1/tasks/${encodeURIComponent(taskId)}`,
    query: { language },
    ...(last?.etag == null ? {} : { headers: { 'If-None-Match': last.etag } }),
    signal,
  });
  if (answer !== undefined) return { task: answer.data, etag: headers.get('etag') };
  if (last === undefined) throw new ConnectionError('The answer has no record of the task.');
  return last;
}
