import { includesRole, type OperatorRole } from '@mediagate/contracts';
import type { RequestHandler } from 'express';
import { sessionOf } from '../session/require-session';
import { ROLE_TOO_LOW, refuse } from './refuse';
import { isSafe } from './same-origin';

/** Behind `requireSession`: for operators, of whom those with a role of at least `changes` change something. */
export function requireOperator({ changes }: { changes: OperatorRole }): RequestHandler {
  return (request, response, next) => {
    const { rights } = sessionOf(response);
    const mayPass = rights.kind === 'operator' && (isSafe(request) || includesRole(rights.role, changes));
    if (mayPass) next();
    else refuse(response, ROLE_TOO_LOW);
  };
}
