import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { Cost, Margin } from '../../parts/cost.tsx';
import { millisecondsText } from '../../parts/duration.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Channel } from '../channels/queries.ts';
import { say } from './texts.ts';

/** The channel's last hour, and its settings with who decided on them. */
export function Facts({ channel }: { channel: Channel }) {
  return (
    <>
      <Panel title={say('hour')}>
        <Hour channel={channel} />
      </Panel>
      <Panel title={say('settings')}>
        <Settings channel={channel} />
      </Panel>
    </>
  );
}

/** The fault that it is passed over for, in the words of the faults below it. */
function Why({ fault }: { fault: string | null }) {
  return (
    fault !== null && (
      <>
        {' '}
        · <code>{fault}</code>
      </>
    )
  );
}

function Hour({ channel: { recent, breaker, unlisted, open_jobs, max_concurrency: most } }: { channel: Channel }) {
  const failed = recent.refused + recent.unknown;
  return (
    <FactList
      facts={[
        breaker.since !== null && [
          say('failing'),
          <span key="failing">
            <Moment at={breaker.since} /> · {say('processes', { count: breaker.open_in })}
            <Why fault={breaker.fault} />
          </span>,
        ],
        ...breaker.models.map(({ model, since, open_in, fault }): [string, ReactNode] => [
          `${say('failing')}: ${model}`,
          <span key={model}>
            <Moment at={since} /> · {say('processes', { count: open_in })}
            <Why fault={fault} />
          </span>,
        ]),
        unlisted.length > 0 && [say('unlisted'), unlisted.join(', ')],
        [
          say('lastSuccess'),
          recent.last_succeeded_at === null ? '–' : <Moment key="last" at={recent.last_succeeded_at} />,
        ],
        [say('open'), most === null ? open_jobs : `${open_jobs} / ${most}`],
        [say('attempts'), recent.attempts],
        [say('failed'), failed],
        ...Object.entries(recent.faults)
          .toSorted(([, one], [, other]) => other - one)
          .map(([fault, count]): [string, number] => [fault, count]),
        recent.median_ms !== null && [say('median'), millisecondsText(recent.median_ms)],
        recent.p95_ms !== null && [say('p95'), millisecondsText(recent.p95_ms)],
        [say('cost'), <Cost key="cost" known={recent.spend} unknown={recent.cost_unknown} />],
        [say('charged'), <Money key="charged" amount={recent.charged} />],
        [say('margin'), <Margin key="margin" amount={recent.margin} />],
      ]}
    />
  );
}

function Settings({ channel }: { channel: Channel }) {
  const { id, models, weight, priority, file, override } = channel;
  return (
    <FactList
      facts={[
        [say('file'), file === null ? '–' : `${file.state} · ${say('weight')} ${file.weight}`],
        override !== null && [
          say('override'),
          <span key="override">
            {Object.keys(override.fields).join(', ')} · {override.set_by} · <Moment at={override.set_at} />
            {override.reason !== null && ` · ${override.reason}`}
          </span>,
        ],
        weight !== null && [say('weight'), weight],
        priority !== null && [say('priority'), priority],
        [say('models'), models.join(', ') || '–'],
        [
          say('log'),
          <Link key="log" to={`/log?subject=${encodeURIComponent(id)}`}>
            {sayFrame('nav.log')}
          </Link>,
        ],
        [
          say('tasks'),
          <Link key="tasks" to={`/tasks?query=${encodeURIComponent(id)}&status=failed`}>
            {say('tasks.failed')}
          </Link>,
        ],
      ]}
    />
  );
}
