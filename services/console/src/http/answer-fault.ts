import type { Logger } from '@mediagate/host';
import type { ErrorRequestHandler } from 'express';

/** What a body parser or the router refuses is the caller's fault and says so; the rest is ours and says nothing. */
export function answerFault(logger: Logger): ErrorRequestHandler {
  return (error: { status?: number }, request, response, _next) => {
    const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 500;
    if (status === 500) logger.error('console.request_failed', { method: request.method, error });
    if (response.headersSent) response.destroy();
    else
      response
        .status(status)
        .type('text/plain')
        .send(status === 500 ? 'Something went wrong.\n' : 'The request is not valid.\n');
  };
}
