import { KeyRound } from 'lucide-react';
import type { components } from '../../api/generated/api.ts';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import classes from './setting-table.module.css';
import { say } from './texts.ts';

type Setting = components['schemas']['Settings']['settings'][number];

/** Each with what it is for, its value, and where that comes from. */
export function SettingTable({ caption, rows }: { caption: string; rows: readonly Setting[] }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      rowId={({ name }) => name}
      columns={[
        {
          header: say('name'),
          cell: ({ name, about }) => (
            <div className={classes.name}>
              <code>{name}</code>
              <span className="quiet">{about}</span>
            </div>
          ),
        },
        {
          header: say('value'),
          cell: (setting) => (
            <div className={classes.value}>
              <Value setting={setting} />
            </div>
          ),
        },
        { header: say('origin'), cell: ({ origin }) => say(`origin.${origin as 'file'}`) },
      ]}
    />
  );
}

/** The value of a setting; of a secret only whether it is set. */
function Value({ setting: { secret, is_set, value } }: { setting: Setting }) {
  if (secret) return <Status tone={is_set ? 'good' : 'quiet'} icon={KeyRound} text={say(is_set ? 'set' : 'unset')} />;
  if (!is_set || value === null) return <span className="quiet">–</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
