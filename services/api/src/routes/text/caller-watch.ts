import type { Response } from 'express';

/** Ends the upstream's work when nobody wants it any more. */
export interface CallerWatch {
  signal: AbortSignal;
  /** The caller closed the connection before the answer was complete. */
  hasLeft(): boolean;
  stop(): void;
}

/** @param totalMs after which the answer has taken too long, whoever is to blame. */
export function watchCaller(response: Response, totalMs: number): CallerWatch {
  const controller = new AbortController();
  let left = false;
  const onClose = () => {
    left = !response.writableFinished;
    controller.abort();
  };
  const timer = setTimeout(() => controller.abort(), totalMs);
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
