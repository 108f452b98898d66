import type { Response } from 'express';
import type { CallerWatch, Gone } from '../use-cases/caller-connection';
import type { Shutdown } from './shutdown';

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where its head has gone out the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(response: Response, totalMs: number, shutdown: Readonly<Shutdown>): CallerWatch {
  const controller = new AbortController();
  let gone: Gone | undefined;
  let lingerMs = 0;
  let lingering: NodeJS.Timeout | undefined;
  const onClose = () => {
    if (!response.writableFinished) gone ??= shutdown.cutsConnections ? 'internal_error' : 'caller_left';
    if (gone === 'caller_left' && lingerMs > 0) lingering = setTimeout(() => controller.abort(), lingerMs);
    else controller.abort();
  };
  const timer = setTimeout(() => {
    if (response.headersSent) {
      gone = 'caller_left';
      response.destroy();
    }
    controller.abort();
  }, totalMs);
  if (response.destroyed) onClose();
  else response.once('close', onClose);
  return {
    signal: controller.signal,
    gone: () => gone,
    linger(ms) {
      lingerMs = ms;
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(lingering);
      response.off('close', onClose);
    },
  };
}
