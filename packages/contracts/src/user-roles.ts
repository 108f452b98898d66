import { isOperatorRole, type OperatorRole } from './operator-roles';

/** Roles of an account's users: an owner manages keys and users, a developer submits, a viewer reads. */
export const ACCOUNT_ROLES = ['owner', 'developer', 'viewer'] as const;

export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export const USER_KINDS = ['operator', 'account'] as const;

export type UserKind = (typeof USER_KINDS)[number];

/** `invited`: neither disabled nor, yet, able to sign in. */
export const USER_STATES = ['active', 'invited', 'disabled'] as const;

export type UserState = (typeof USER_STATES)[number];

/** The rights of a user of the console. */
export type UserRights =
  | { kind: 'operator'; role: OperatorRole }
  | { kind: 'account'; role: AccountRole; accountId: string };

/** Undefined: no user of that kind has such a role, or the account is missing, or one too many. */
export function userRights(kind: string, role: string, accountId: string | null | undefined): UserRights | undefined {
  if (kind === 'operator' && isOperatorRole(role) && accountId == null) return { kind, role };
  if (kind === 'account' && isAccountRole(role) && accountId != null) return { kind, role, accountId };
  return undefined;
}

export function isAccountRole(value: string): value is AccountRole {
  return ACCOUNT_ROLES.some((role) => role === value);
}
