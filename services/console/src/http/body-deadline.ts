import type { RequestHandler, Response } from 'express';

/**
 * Hangs up on whoever has not sent the whole request in time, so that nobody takes up connections by bodies that never end. What
 * stands behind `liftBodyDeadline` has as long as the server lets it.
 */
export function setBodyDeadline(timeoutMs: number): RequestHandler {
  return (request, response, next) => {
    const timer = setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, timeoutMs);
    request.once('close', () => clearTimeout(timer));
    response.locals['bodyDeadline'] = timer;
    next();
  };
}

/** For files, which take their time. */
export const liftBodyDeadline: RequestHandler = (_request, response, next) => {
  clearTimeout(deadlineOf(response));
  next();
};

function deadlineOf({ locals }: Response): NodeJS.Timeout | undefined {
  return locals['bodyDeadline'] as NodeJS.Timeout | undefined;
}
