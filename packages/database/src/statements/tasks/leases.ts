import type { Statement } from '../../statement';
import { afterMs } from './after-ms';

export interface Lease {
  name: string;
  /** The id of the process that holds it; no two have the same. */
  holder: string;
}

/** Takes or renews a lease by the database's clock. A row: it is the holder's from now on. */
export const takeLease: Statement<[lease: Lease, leaseMs: number], { name: string }> = {
  text: `
insert into leases as l (name, holder, lease_until) values ($1, $2, ${afterMs('$3')})
on conflict (name) do update set holder = excluded.holder, lease_until = excluded.lease_until
  where l.holder = excluded.holder or l.lease_until < now()
returning name`,
  values: ({ name, holder }, leaseMs) => [name, holder, leaseMs],
};

/** Whoever waits for it need not wait for its end. */
export const returnLease: Statement<[lease: Lease], object> = {
  text: 'delete from leases where name = $1 and holder = $2',
  values: ({ name, holder }) => [name, holder],
};
