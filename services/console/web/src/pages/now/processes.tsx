import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { durationText } from '../../parts/duration.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import type { Process } from './process.ts';
import classes from './processes.module.css';
import { processesQuery } from './queries.ts';
import { say } from './texts.ts';

/** Every process, whether it is ready, and below its name what it does; those that are not ready first. */
export function Processes() {
  const { data, error, refetch } = useQuery(processesQuery);
  return (
    <Panel title={say('processes')} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data?.length === 0 && (
        <Empty icon={CircleCheck} title={say('processes.none')}>
          <Link to="/channels">{say('channels')}</Link>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <Table
          caption={say('processes')}
          rows={data.toSorted((one, other) => Number(isReady(one)) - Number(isReady(other)))}
          rowId={({ name, address }) => `${name} ${address}`}
          columns={[
            {
              header: say('process'),
              className: classes.process,
              cell: (one) => <Name {...one} isReplica={isReplica(one, data)} />,
            },
            { header: say('state'), cell: (one) => <State {...one} /> },
            { header: say('up'), align: 'end', cell: ({ up_seconds: up }) => (up === null ? '–' : durationText(up)) },
          ]}
        />
      )}
    </Panel>
  );
}

const STATES = { ready: 'ready', not_ready: 'notReady', down: 'down' } as const satisfies Record<
  Process['state'],
  string
>;

/** A label that the page does not know, of another release of the console, stays as it is. */
function workText(label: string): string {
  const key = `work.${label.replaceAll(' ', '-')}`;
  const text = say(`work.${label.replaceAll(' ', '-') as 'requests'}`);
  return text === key ? label : text;
}

export function isReady({ state }: Process): boolean {
  return state === 'ready';
}

/** Another process answers under the same name. */
function isReplica({ name }: Process, all: readonly Process[]): boolean {
  return all.filter((one) => one.name === name).length > 1;
}

function Name({ name, address, work, isReplica }: Process & { isReplica: boolean }) {
  return (
    <>
      {name} {isReplica && <span className="quiet">{address}</span>}
      <span className={classes.work}>
        {work.map(({ label, value, alarming }) => (
          <span key={label} data-alarming={alarming}>
            {workText(label)} {value === null ? '–' : value.toLocaleString(currentLanguage())}
          </span>
        ))}
      </span>
    </>
  );
}

function State(process: Process) {
  const { state, reason } = process;
  if (isReady(process)) return <Status tone="good" text={say(STATES[state])} />;
  return (
    <>
      <Status tone="bad" text={say(STATES[state])} />
      <div className="quiet">
        {reason} <code>docs/runbooks/process-down.md</code>
      </div>
    </>
  );
}
