import { createHeardTask, type HeardTask } from './heard-task';
import type { LiveReceiver } from './listening';
import { openReceiverSession } from './receiver-session';
import { keepSessions } from './redis-sessions';
import { DEFAULT_TIMING, type LiveOptions } from './timing';
import { namesOf } from './wire';

/** For commands, for what workers ask, and for the stream, which is waited on. */
const CONNECTIONS = 3;
const MAX_CALLERS = 1024;

export interface LiveReceiverOptions extends LiveOptions {
  /** Callers who may wait at once; each may have `WINDOW_BYTES` in this process. */
  maxCallers?: number;
}

/**
 * Opens the side of the API: one stream for all callers of this process. When Redis goes away, or only stumbles, every task
 * that is heard ends with `worker_lost`, and those that come after begin anew.
 */
export function openLiveReceiver(options: LiveReceiverOptions): LiveReceiver {
  const { redisUrl, prefix, onError = () => undefined, maxCallers = MAX_CALLERS } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const tasks = new Map<string, HeardTask>();
  const sessions = keepSessions({
    redisUrl,
    onError,
    connections: CONNECTIONS,
    begin: (connections, fail) => openReceiverSession({ names: namesOf(prefix), connections, fail, tasks, timing }),
  });
  return {
    available: () => sessions.current() !== undefined && tasks.size < maxCallers,
    listen(taskId) {
      if (tasks.has(taskId)) throw new Error(`${taskId} has a listener`);
      const task = createHeardTask(taskId, {
        tellTaken: (workerId) => sessions.current()?.tellTaken(workerId, task),
        tellGone: (workerId, kind) => sessions.current()?.tellGone(workerId, task, kind),
        over: () => tasks.delete(taskId),
      });
      tasks.set(taskId, task);
      // Whoever found room a moment ago may not find it now, and nothing is heard without Redis.
      if (sessions.current() === undefined || tasks.size > maxCallers) task.workerLost();
      return task.listening;
    },
    close: () => sessions.close(),
  };
}
