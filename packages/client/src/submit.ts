import type { Call, Connection } from './connection.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { isEnded } from './is-ended.ts';
import type { EndedTask, Submission, TaskRecord } from './types.ts';

export interface SubmitOptions {
  /** Your own for this submission: sent again under it, also by another process, it makes no second task. Absent: a new one. */
  idempotencyKey?: string;
  /** True: a submission is refused where a part of it would be ignored with a warning. */
  strict?: boolean;
  /** Answers with the ended task if it ends within so many seconds, 60 at most. */
  waitSeconds?: number;
  /** The language of warnings and errors, as in `Accept-Language`. */
  language?: string;
  signal?: AbortSignal;
}

type Acknowledged = { data: [{ task_id: string; warnings?: string[] }] };
type Waited = { data: TaskRecord & { warnings?: string[] } };

/** Creates a task. Retries are safe, for each submission has an idempotency key. */
export async function submit(
  connection: Connection,
  path: string,
  body: unknown,
  options: SubmitOptions = {},
): Promise<Submission> {
  const { answer, headers } = await connection.askWithHeaders<Acknowledged | Waited>(callOf(path, body, options));
  const replayed = headers.get('idempotency-replayed') === 'true';
  const { data } = answer;
  if (Array.isArray(data)) return { taskId: data[0].task_id, warnings: data[0].warnings ?? [], replayed };
  const { warnings = [], ...task } = data;
  return { taskId: task.id, warnings, replayed, ...(isEnded(task) ? { task: task as EndedTask } : {}) };
}

function callOf(path: string, body: unknown, options: SubmitOptions): Call {
  const { idempotencyKey = newIdempotencyKey(), strict = false, waitSeconds = 0, language, signal } = options;
  return {
    method: 'POST',
    path,
    body,
    signal,
    waitMs: waitSeconds * 1000,
    headers: {
      'Idempotency-Key': idempotencyKey,
      ...(strict ? { Strict: 'true' } : {}),
      ...(waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {}),
      ...(language === undefined ? {} : { 'Accept-Language': language }),
    },
  };
}
