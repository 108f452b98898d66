import { Link } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import classes from './facts.module.css';
import type { Account } from './queries.ts';
import { say } from './texts.ts';

/** Its money and its limits, and ways to what it did. */
export function Facts({ account }: { account: Account }) {
  const { id, balance, held, settled, submit_per_minute, query_per_minute, priority_class, created } = account;
  const { marks, unmarked } = account;
  return (
    <div className={classes.panels}>
      <Panel title={say('money')}>
        <FactList
          facts={[
            [say('money.balance'), <Money key="balance" amount={balance} />],
            [say('money.held'), <Money key="held" amount={held} />],
            [say('money.settled'), <Money key="settled" amount={settled} />],
          ]}
        />
      </Panel>
      <Panel title={say('limits')}>
        <FactList
          facts={[
            [say('limits.submit'), submit_per_minute ?? say('limits.none')],
            [say('limits.query'), query_per_minute ?? say('limits.none')],
            [say('limits.class'), say(`class.${priority_class}`)],
            [say('limits.marks'), say(marks === null ? 'default' : `marks.${marks}`)],
            [say('limits.unmarked'), say(unmarked === null ? 'default' : `unmarked.${unmarked}`)],
            [say('limits.created'), <Moment key="created" at={created} />],
          ]}
        />
      </Panel>
      <Panel title={say('ways')}>
        <ul className={classes.ways}>
          <li>
            <Link to={`/tasks?account_id=${id}`}>{say('ways.tasks')}</Link>
          </li>
          <li>
            <Link to={`/tasks?account_id=${id}&status=failed`}>{say('ways.failed')}</Link>
          </li>
          <li>
            <Link to={`/deliveries?account_id=${id}&state=exhausted`}>{say('ways.deliveries')}</Link>
          </li>
          <li>
            <Link to={`/log?subject=${id}`}>{say('ways.log')}</Link>
          </li>
        </ul>
      </Panel>
    </div>
  );
}
