import { ApiError } from '../../api/api-error.ts';
import { dataQuery } from '../../api/data-query.ts';
import type { SessionUser } from '../../api/session.ts';
import { faultText } from '../../parts/failure.tsx';
import { say } from './texts.ts';

export interface OwnUser extends SessionUser {
  /** The user has a password. */
  password: boolean;
  /** The provider that has signed the user in elsewhere; null: none has. */
  issuer: string | null;
}

export interface OwnSession {
  created: number;
  last_used_at: number;
  current: boolean;
}

export const ownQuery = dataQuery<OwnUser>(['profile'], '/users/me');

export const sessionsQuery = dataQuery<OwnSession[]>(['profile', 'sessions'], '/users/me/sessions');

/** The fault of what users give to prove who they are; undefined: that is not to blame. */
export function proofFault(error: Error | null, reasons: readonly string[]): string | undefined {
  if (!(error instanceof ApiError) || !reasons.includes(error.reason)) return undefined;
  return error.reason === 'bad_credentials' ? say('password.wrong') : faultText(error);
}
