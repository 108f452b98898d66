import type { Database } from '@mediagate/database';
import type { RequestHandler } from 'express';
import { NOT_FOUND, refuse } from '../http/refuse';
import { isSafe } from '../http/same-origin';
import { sessionOf } from '../session/require-session';
import { actorOfSession } from '../users/actor';

/** An action on a job, `/api/queues/image/task_1-0/clean`; on a queue, without the job; or on all queues. */
const ACTION = /^\/api\/queues(?:\/(?<queue>[^/]+)(?:\/(?<job>[^/]+))?)?\/(?<verb>[a-z-]+)$/;
/** An action on a queue's jobs in one state: `/api/queues/image/clean/failed`. */
const OF_JOBS_IN = /^\/api\/queues\/(?<queue>[^/]+)\/(?<verb>clean|retry)\/(?<state>[a-z-]+)$/;

/**
 * Writes into the audit log who acts on which queue, before the action is done; how it ended follows. An action that cannot be
 * written down is not done.
 */
export function noteQueueActions(database: Pick<Database, 'noteAction' | 'concludeAction'>): RequestHandler {
  return async (request, response, next) => {
    if (isSafe(request)) return next();
    const action = readAction(request.path);
    // Bull Board's routes take other letter cases and a slash at the end, too.
    if (action === undefined) return refuse(response, NOT_FOUND);
    const { verb, subject, ...detail } = action;
    const actor = actorOfSession(sessionOf(response));
    const entry = { actor, action: `queue.${verb}`, subject, detail: { ...detail, outcome: 'unknown' } };
    const [noted] = await database.noteAction(entry);
    response.once('finish', () => {
      const outcome = response.statusCode < 400 ? 'done' : 'refused';
      // The entry is there: without its end it says that the end is not known.
      database.concludeAction({ id: noted?.id, subject, outcome }).catch(() => undefined);
    });
    next();
  };
}

function readAction(path: string): { verb: string; subject: string; job?: string; state?: string } | undefined {
  const { queue, job, verb, state } = (OF_JOBS_IN.exec(path) ?? ACTION.exec(path))?.groups ?? {};
  if (verb === undefined) return undefined;
  return {
    verb,
    subject: decoded(queue) ?? 'all queues',
    ...(job === undefined ? {} : { job: decoded(job) ?? job }),
    ...(state === undefined ? {} : { state }),
  };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // Bull Board refuses it, too.
    return text;
  }
}
