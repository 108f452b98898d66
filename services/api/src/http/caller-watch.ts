import type { CallerWatch, Gone } from '../use-cases/caller-connection';
import type { Exchange } from './exchange';
import type { Shutdown } from './shutdown';

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where its head has gone out the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(
  { response, scope: whole }: Pick<Exchange, 'response' | 'scope'>,
  totalMs: number,
  shutdown: Readonly<Shutdown>,
): CallerWatch {
  const scope = whole.open();
  const controller = new AbortController();
  let gone: Gone | undefined;
  let lingerMs = 0;
  let isStopped = false;
  const onClose = () => {
    if (!response.writableFinished) gone ??= shutdown.cutsConnections ? 'internal_error' : 'caller_left';
    if (gone === 'caller_left' && lingerMs > 0) scope.after(lingerMs, () => controller.abort());
    else controller.abort();
  };
  scope.after(totalMs, () => {
    if (response.headersSent) {
      gone = 'caller_left';
      response.destroy();
    }
    controller.abort();
  });
  // A request that ends before its work takes the timers along that would have ended the work.
  scope.onClose(() => {
    if (!isStopped) controller.abort();
  });
  if (response.destroyed) onClose();
  else scope.on(response, 'close', onClose);
  return {
    signal: controller.signal,
    gone: () => gone,
    linger(ms) {
      lingerMs = ms;
    },
    cancel() {
      gone ??= 'cancelled';
      controller.abort();
    },
    stop() {
      isStopped = true;
      scope.close();
    },
  };
}
