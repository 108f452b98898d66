import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countText } from '../../parts/count-text.ts';
import { Failure } from '../../parts/failure.tsx';
import { Money } from '../../parts/money.tsx';
import classes from './figures.module.css';
import { balanceQuery, recentUsageQuery } from './queries.ts';
import { say } from './texts.ts';

/** The account in five figures, each a link to what it is made of. */
export function Figures() {
  const balance = useQuery(balanceQuery);
  const usage = useQuery(recentUsageQuery);
  const error = balance.error ?? usage.error;
  if (error) return <Failure error={error} retry={() => Promise.all([balance.refetch(), usage.refetch()])} />;
  const money = balance.data?.success ? balance.data : undefined;
  const total = usage.data?.total;
  return (
    <dl className={classes.figures}>
      <Figure to="/ledger" name={say('balance')}>
        {money && <Money amount={money.remain_balance} />}
      </Figure>
      <Figure to="/tasks?status=processing" name={say('held')}>
        {money && <Money amount={money.held_balance} />}
      </Figure>
      <Figure to="/usage" name={say('spent')}>
        {total && <Money amount={total.charged} />}
      </Figure>
      <Figure to="/tasks?status=processing" name={say('running')}>
        {total && countText(total.tasks - total.completed - total.failed)}
      </Figure>
      <Figure to="/tasks?status=failed" name={say('failed')}>
        {total && countText(total.failed)}
      </Figure>
    </dl>
  );
}

function Figure({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>{children === undefined ? <Skeleton height={26} width={80} /> : <Link to={to}>{children}</Link>}</dd>
    </div>
  );
}
