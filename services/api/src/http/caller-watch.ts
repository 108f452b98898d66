import type { Response } from 'express';

/** Ends the upstream's work when nobody wants it any more. */
export interface CallerWatch {
  signal: AbortSignal;
  /** The caller closed the connection before the answer was complete, or had not read it when the time was over. */
  hasLeft(): boolean;
  /** From now on the work goes on for so long after its caller has left: what it comes to says what was used. */
  linger(ms: number): void;
  stop(): void;
}

/**
 * @param totalMs after which the answer has taken too long, whoever is to blame. Where its head has gone out the connection
 * is destroyed, so that nobody waits for a reader any more, and what was used is paid like that of one who left.
 */
export function watchCaller(response: Response, totalMs: number): CallerWatch {
  const controller = new AbortController();
  let left = false;
  let lingerMs = 0;
  let lingering: NodeJS.Timeout | undefined;
  const onClose = () => {
    left = !response.writableFinished;
    if (left && lingerMs > 0) lingering = setTimeout(() => controller.abort(), lingerMs);
    else controller.abort();
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
