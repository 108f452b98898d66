import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { request } from '../../api/request.ts';
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

export const ownQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async () => (await request<{ data: OwnUser }>('/users/me')).data,
});

export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async () => (await request<{ data: OwnSession[] }>('/users/me/sessions')).data,
});

/** The fault of what users give to prove who they are; undefined: that is not to blame. */
export function proofFault(error: Error | null, reasons: readonly string[]): string | undefined {
  if (!(error instanceof ApiError) || !reasons.includes(error.reason)) return undefined;
  return error.reason === 'bad_credentials' ? say('password.wrong') : faultText(error);
}
