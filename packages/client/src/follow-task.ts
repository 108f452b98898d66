import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { isEnded } from './is-ended.ts';
import { isPassing } from './retry-delay.ts';
import { eventsOf, type ServerSentEvent } from './server-sent-events.ts';
import { sleep } from './sleep.ts';
import type { TaskRecord } from './types.ts';

export interface FollowOptions {
  /** The language of `error.message`: `de`. */
  language?: string;
  signal?: AbortSignal;
}

/** The record is sent at once; what has not come by then is kept back by something between. */
const FIRST_EVENT_MS = 10_000;
/** A comment comes every 15 seconds. */
const SILENCE_MS = 40_000;
/** Connections in a row of which nothing came, before it is given up. */
const FRUITLESS_CONNECTIONS = 2;
const RECONNECT_MS = 1_000;

/**
 * The task's record, now and whenever it changes, until it has ended. A stream that breaks is taken up again where it was.
 *
 * @throws ConnectionError where no stream can be had.
 */
export async function* followTask(
  connection: Connection,
  taskId: string,
  options: FollowOptions = {},
): AsyncGenerator<TaskRecord> {
  let lastEventId: string | undefined;
  let fruitless = 0;
  for (;;) {
    fruitless += 1;
    try {
      for await (const { id, data } of openEvents(connection, taskId, { ...options, lastEventId })) {
        fruitless = 0;
        if (data === undefined) continue;
        lastEventId = id;
        const record: TaskRecord = JSON.parse(data);
        yield record;
        if (isEnded(record)) return;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    if (fruitless >= FRUITLESS_CONNECTIONS) throw new ConnectionError('The events of the task cannot be received.');
    await sleep(RECONNECT_MS, options.signal);
  }
}

async function* openEvents(
  connection: Connection,
  taskId: string,
  { language, signal, lastEventId }: FollowOptions & { lastEventId: string | undefined },
): AsyncGenerator<ServerSentEvent> {
  const { body } = await connection.open({
    method: 'GET',
    path: `/v1/tasks/${encodeURIComponent(taskId)}/events`,
    query: { language },
    retries: 0,
    headers: { Accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }) },
    signal,
  });
  const firstMs = lastEventId === undefined ? FIRST_EVENT_MS : SILENCE_MS;
  if (body !== null) yield* eventsOf(body, { firstMs, silenceMs: SILENCE_MS });
}
