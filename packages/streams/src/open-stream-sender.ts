import { DirectSender } from './direct-sender';
import type { StreamSender } from './outgoing-stream';
import { keepSessions } from './redis-sessions';
import { SenderSession } from './sender-session';
import { DEFAULT_TIMING, type StreamOptions } from './timing';
import { namesOf } from './wire';

/** For commands, and for the messages of API processes. */
const CONNECTIONS = 2;

/** Opens the side of the worker. When Redis goes away, every stream that passes through it ends with `api_gone`. */
export function openStreamSender(options: StreamOptions): StreamSender {
  const { redisUrl, prefix, onError = () => undefined } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const names = namesOf(prefix);
  const direct = new DirectSender({ timing, onError });
  const sessions = keepSessions({
    redisUrl,
    key: names.questions,
    onError,
    connections: CONNECTIONS,
    create: (connections, fail) => new SenderSession({ names, connections, fail, timing, direct }),
  });
  return {
    takeTasks: (taker) => direct.takeTasks(taker),
    takeNoMore: () => direct.takeNoMore(),
    connect: (taskId, address) => direct.connect(address, taskId),
    async open(claim, early) {
      const stream = await early?.open(claim);
      if (stream) return stream;
      const session = await sessions.within(timing.answerWithinMs);
      return session?.open(claim);
    },
    async close() {
      direct.close();
      await sessions.close();
    },
  };
}
