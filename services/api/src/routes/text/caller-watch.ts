import type { Response } from 'express';

/** Ends the upstream's work when nobody wants it any more. */
export interface CallerWatch {
  signal: AbortSignal;
  /** The caller closed the connection before the answer was complete, or had not read it when the time was over. */
  hasLeft(): boolean;
  stop(): void;
}

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where its head has gone out the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(response: Response, totalMs: number): CallerWatch {
  const controller = new AbortController();
  let left = false;
  const onClose = () => {
    left = !response.writableFinished;
    controller.abort();
  };
  const timer = setTimeout(() => {
    if (response.headersSent) {
      left = true;
      response.destroy();
    }
    controller.abort();
  }, totalMs);
  if (response.destroyed) onClose();
  else response.once('close', onClose);
  return {
    signal: controller.signal,
    hasLeft: () => left,
    stop() {
      clearTimeout(timer);
      response.off('close', onClose);
    },
  };
}
