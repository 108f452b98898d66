import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { accountQuery } from '../api/account.ts';
import { shortId } from './id-chip.tsx';

/** An account by its name, which is asked for once; by the end of its id until it is there. */
export function AccountLink({ id }: { id: string }) {
  const { data } = useQuery(accountQuery(id));
  return (
    <Link to={`/accounts/${id}`} title={id}>
      {data?.name ?? shortId(id)}
    </Link>
  );
}
