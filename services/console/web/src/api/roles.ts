import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** The roles of operators: each may also do what those before it may. */
const ROLES = ['read', 'support', 'billing', 'admin'] as const;

export type OperatorRole = (typeof ROLES)[number];

/** Whether the user who is signed in may do what needs a role: the API decides, the page leaves out what it would refuse. */
export function useAllowed(needed: OperatorRole): boolean {
  const { data: session } = useQuery(sessionQuery);
  const role = session?.user.role as OperatorRole | undefined;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
