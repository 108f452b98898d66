import type { SessionUser } from '../../api/session.ts';
import type { User } from './queries.ts';

/** The acts on a user as a whole, in the words of the path. */
export type Act = 'invite' | 'end-sessions' | 'reset-second-factor' | 'reset' | 'disable' | 'enable' | 'delete';
export type Asked = Act | 'change';

/** The acts that the user who is signed in may do to this one now: nobody manages themself. */
export function actsOf(user: User, own: SessionUser): readonly Asked[] {
  if (user.id === own.id) return [];
  if (own.role === 'support' || own.role === 'billing') return user.joined ? ['end-sessions'] : [];
  if (own.role !== 'admin' && own.role !== 'owner') return [];
  if (user.disabled_at !== null) return ['enable', 'delete'];
  if (!user.joined) return ['change', 'invite', 'disable', 'delete'];
  return [
    'change',
    'end-sessions',
    ...(user.totp ? (['reset-second-factor'] as const) : []),
    'reset',
    'disable',
    'delete',
  ];
}
