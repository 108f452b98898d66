import type { Pace } from '@mediagate/concurrency';
import { GatewayError, includesRole, message } from '@mediagate/contracts';
import type { Operator } from '@mediagate/identity';
import type { Request } from 'express';
import type { AdmittedOperator } from '../exchange';
import { admitPaced } from '../limits/refusal-turn';
import type { OperatorRoute } from '../route';
import { bearerToken } from './authenticate';

/** Finds the operator who has the token; undefined: nobody has it. */
export type FindOperator = (token: string) => Promise<Operator | undefined>;

/** @throws GatewayError `authentication`. */
export type AuthenticateOperator = (request: Request) => Promise<AdmittedOperator>;

/**
 * Lets an operator in by `Authorization: Bearer mgo_…`.
 *
 * @param wrongTokens how many wrong ones an address may send; more are `rate_limited`.
 */
export function createOperatorAuthenticator(findOperator: FindOperator, wrongTokens: Pace): AuthenticateOperator {
  return async (request) => {
    const operator = await findOperator(bearerToken(request));
    if (operator) return { ...operator, actor: `operator:${operator.id}` };
    admitPaced(wrongTokens, request.socket.remoteAddress ?? '');
    throw new GatewayError('authentication', message('operator_token_missing'));
  };
}

/** @throws GatewayError `permission` naming the role that is needed. */
export function requireRole({ role: has }: Operator, { role }: Pick<OperatorRoute, 'role'>): void {
  if (includesRole(has, role)) return;
  throw new GatewayError('permission', message('operator_role_too_low', { has, role }));
}
