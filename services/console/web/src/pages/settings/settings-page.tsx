import { useQuery } from '@tanstack/react-query';
import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { NarrowField } from '../../parts/narrow-field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { SettingTable } from './setting-table.tsx';
import classes from './settings-page.module.css';
import { say } from './texts.ts';

type Settings = components['schemas']['Settings'];

const SKELETON_ROWS = 12;

/** The settings of the process that answers, and who has made them. */
export default function SettingsPage() {
  const [words, change] = useAddress();
  const { data, error, refetch } = useQuery(dataQuery<Settings>(['settings'], '/admin/v1/settings'));
  const text = words.get('name') ?? '';
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <NarrowField label={say('search')} value={text} onChange={(name) => change({ name })} />
      {error && <Failure error={error} retry={refetch} />}
      {data === undefined && !error && (
        <Panel flush>
          <TableSkeleton rows={SKELETON_ROWS} />
        </Panel>
      )}
      {data !== undefined && <Groups settings={data} text={text.toLowerCase()} />}
    </>
  );
}

function Groups({ settings: { service, config, settings, channels }, text }: { settings: Settings; text: string }) {
  const groups = [
    { title: say('process'), rows: settings, isFolded: false },
    ...channels.map(({ id, settings: rows }) => ({ title: say('channel', { id }), rows, isFolded: text === '' })),
  ].map(({ title, rows, isFolded }) => ({
    title,
    isFolded,
    rows: rows.filter(({ name, about }) => `${title} ${name} ${about}`.toLowerCase().includes(text)),
  }));
  return (
    <div className="stack">
      <Panel>
        <FactList
          facts={[
            [say('service'), service],
            [say('file'), <code key="path">{config.path}</code>],
            [say('digest'), <code key="digest">{config.digest}</code>],
          ]}
        />
      </Panel>
      {groups
        .filter(({ rows }) => rows.length > 0)
        .map((group) => (
          <Group key={group.title} {...group} />
        ))}
    </div>
  );
}

interface GroupProps {
  title: string;
  rows: Settings['settings'];
  /** There are many groups of this kind, and the search field is empty. */
  isFolded: boolean;
}

function Group({ title, rows, isFolded }: GroupProps) {
  const table = <SettingTable caption={title} rows={rows} />;
  if (!isFolded) {
    return (
      <Panel title={title} flush>
        {table}
      </Panel>
    );
  }
  return (
    <Panel flush>
      <details className={classes.folded}>
        <summary>{title}</summary>
        {table}
      </details>
    </Panel>
  );
}
