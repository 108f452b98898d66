import { FileSearch, Fingerprint } from 'lucide-react';
import { Link } from 'react-router';
import { AccountLink } from '../../parts/account-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import type { Origin, Result, Source } from './find-origin.ts';
import { say } from './texts.ts';

const STANDARDS: Readonly<Record<string, string>> = { c2pa: 'C2PA', iptc: 'IPTC', gb45438: 'GB 45438' };

export function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) {
    return (
      <Panel title={say('states')}>
        <Empty icon={FileSearch} title={say('states.none')} />
      </Panel>
    );
  }
  return (
    <Panel title={say('states')} flush>
      <Table
        caption={say('states')}
        rows={sources}
        rowId={(_, index) => index}
        columns={[
          { header: say('column.standard'), cell: ({ standard }) => STANDARDS[standard] ?? standard },
          { header: say('column.type'), wideOnly: true, cell: ({ source_type: type }) => type ?? '–' },
          { header: say('column.issuer'), long: 'wrap', cell: ({ issuer }) => issuer ?? '–' },
          { header: say('column.generator'), wideOnly: true, long: 'wrap', cell: ({ generator }) => generator ?? '–' },
          { header: say('column.valid'), long: 'wrap', cell: (source) => <Validity {...source} /> },
        ]}
      />
    </Panel>
  );
}

/** The signature's state, and why. */
function Validity({ valid, problem, standard }: Source) {
  if (standard !== 'c2pa' && problem === null) return '–';
  return (
    <>
      {valid === true && <Status tone="good" text={say('valid.yes')} />}
      {valid === false && <Status tone="bad" text={say('valid.no')} />}
      {valid === null && <Status tone="quiet" text={say('valid.unknown')} />}
      {problem !== null && (
        <div className="quiet" lang="en">
          {problem}
        </div>
      )}
    </>
  );
}

export function Results({ results, compared }: Pick<Origin, 'results' | 'compared'>) {
  if (results.length === 0) {
    return (
      <Panel title={say('results')}>
        <Empty icon={Fingerprint} title={say('results.none')}>
          {say(compared === 'bytes' ? 'results.none.by_bytes' : 'results.none.about')}
        </Empty>
      </Panel>
    );
  }
  const isOfAny = results.some(({ account_id: account }) => account !== undefined);
  return (
    <Panel title={say('results')} flush>
      <Table
        caption={say('results')}
        rows={results}
        rowId={({ task_id: task, output }) => `${task} ${output}`}
        columns={[
          { header: say('column.task'), cell: taskOf },
          ...(isOfAny ? [{ header: say('column.account'), cell: accountOf }] : []),
          { header: say('column.difference'), cell: differenceOf },
          {
            header: say('column.created'),
            align: 'end',
            wideOnly: isOfAny,
            cell: ({ created_at: at }) => <Moment at={at} />,
          },
        ]}
      />
    </Panel>
  );
}

function taskOf({ task_id: id }: Result) {
  return (
    <Link className="unbroken" to={`/tasks/${id}`}>
      {shortId(id)}
    </Link>
  );
}

function accountOf({ account_id: id }: Result) {
  return id === undefined ? '–' : <AccountLink id={id} />;
}

function differenceOf({ same_bytes: isSame, distance }: Result) {
  return isSame ? say('same') : say('bits', { count: distance });
}
