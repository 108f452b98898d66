import { useQuery } from '@tanstack/react-query';
import type { components } from '../../api/generated/api.ts';
import { type SessionUser, sessionQuery } from '../../api/session.ts';

export type User = components['schemas']['User'];
export type InvitedUser = components['schemas']['InvitedUser'];

export const USERS = 'users';
export const OPERATOR_ROLES = ['read', 'support', 'billing', 'admin'] as const;
export const ACCOUNT_ROLES = ['owner', 'developer', 'viewer'] as const;
export const STATES = ['active', 'invited', 'disabled'] as const;

export type State = (typeof STATES)[number];

/** Operators manage everybody, by the gateway; owners the users of their account, by the console. Both APIs are alike. */
export function usersPath({ kind }: Pick<SessionUser, 'kind'>): string {
  return kind === 'operator' ? '/admin/v1/users' : '/users';
}

export function stateOf({ disabled_at, joined }: User): State {
  if (disabled_at !== null) return 'disabled';
  return joined ? 'active' : 'invited';
}

export function rolesOf(kind: User['kind']): readonly string[] {
  return kind === 'operator' ? OPERATOR_ROLES : ACCOUNT_ROLES;
}

/** The user who is signed in, whom the frame has asked for before. */
export function useOwnUser(): SessionUser | undefined {
  return useQuery(sessionQuery).data?.user;
}
