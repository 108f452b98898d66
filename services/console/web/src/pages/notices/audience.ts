import { useQuery } from '@tanstack/react-query';
import { useAllowed } from '../../api/roles.ts';
import { sessionQuery } from '../../api/session.ts';
import { KINDS, KINDS_OF_HOLDERS, type Kind } from './notice-kinds.ts';

/** To whom the notices of this page go: operators and holders of an account differ by this alone. */
export interface Audience {
  isOperator: boolean;
  /** The root of the API's paths for notices. */
  root: string;
  kinds: readonly Kind[];
  mayChange: boolean;
}

export function useAudience(): Audience {
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = useAllowed('admin');
  if (session?.user.kind === 'account') {
    return {
      isOperator: false,
      root: '/v1/notices',
      kinds: KINDS_OF_HOLDERS,
      mayChange: session.user.role === 'owner',
    };
  }
  return { isOperator: true, root: '/admin/v1/notices', kinds: KINDS, mayChange: isAdmin };
}
