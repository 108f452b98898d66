import type { LiveSender } from './delivery';
import { keepSessions } from './redis-sessions';
import { openSenderSession } from './sender-session';
import { DEFAULT_TIMING, type LiveOptions } from './timing';
import { namesOf } from './wire';

/** For commands, and for what API processes say. */
const CONNECTIONS = 2;

/** Opens the side of the worker. When Redis goes away, every delivery ends with `api_gone`. */
export function openLiveSender(options: LiveOptions): LiveSender {
  const { redisUrl, prefix, onError = () => undefined } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const sessions = keepSessions({
    redisUrl,
    onError,
    connections: CONNECTIONS,
    begin: (connections, fail) => openSenderSession({ names: namesOf(prefix), connections, fail, timing }),
  });
  return {
    async meet(taskId, fence, signal) {
      const session = await sessions.within(timing.meetMs);
      return session?.meet(taskId, fence, signal);
    },
    close: () => sessions.close(),
  };
}
