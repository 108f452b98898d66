/** Roles of operators' tokens; each may also do whatever those before it may. */
export const OPERATOR_ROLES = ['read', 'support', 'billing', 'admin'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export function isOperatorRole(value: string): value is OperatorRole {
  return OPERATOR_ROLES.some((role) => role === value);
}

export function includesRole(has: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(has) >= OPERATOR_ROLES.indexOf(needed);
}
