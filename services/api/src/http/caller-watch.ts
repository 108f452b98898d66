import { type Held, Linger } from '@mediagate/concurrency';
import type { CallerWatch, Gone } from '../use-cases/caller-connection';
import { hasBegun } from './event-comments';
import type { Exchange } from './exchange';
import type { Shutdown } from './shutdown';

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where it has begun the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(
  { response, scope: whole, wording }: Pick<Exchange, 'response' | 'scope' | 'wording'>,
  totalMs: number,
  { shutdown, takeSlot }: { shutdown: Readonly<Shutdown>; takeSlot(): Pick<Held, 'release'> | undefined },
): CallerWatch {
  const scope = whole.open();
  let gone: Gone | undefined;
  let isStopped = false;
  const linger = new Linger(takeSlot);
  const onClose = () => {
    if (!response.writableFinished) gone ??= shutdown.cutsConnections ? 'internal_error' : 'caller_left';
    if (gone === 'internal_error') linger.stop();
    else linger.leave();
  };
  scope.after(totalMs, () => {
    if (hasBegun({ response, wording })) {
      gone = 'caller_left';
      response.destroy();
    }
    linger.stop();
  });
  // A request that ends before its work takes the timers along that would have ended the work.
  scope.onClose(() => {
    if (!isStopped) linger.stop();
  });
  if (response.destroyed) onClose();
  else scope.on(response, 'close', onClose);
  return {
    signal: linger.signal,
    gone: () => gone,
    linger: (ms) => linger.set(ms),
    cancel() {
      gone ??= 'cancelled';
      linger.leave();
    },
    stop() {
      isStopped = true;
      linger.end();
      scope.close();
    },
  };
}
