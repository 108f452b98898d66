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
    <Table caption={caption}>
      <thead>
        <tr>
          <th scope="col">{say('name')}</th>
          <th scope="col">{say('value')}</th>
          <th scope="col">{say('origin')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((setting) => (
          <tr key={setting.name}>
            <td>
              <div className={classes.name}>
                <code>{setting.name}</code>
                <span className="quiet">{setting.about}</span>
              </div>
            </td>
            <td>
              <div className={classes.value}>
                <Value setting={setting} />
              </div>
            </td>
            <td>{say(`origin.${setting.origin as 'file'}`)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The value of a setting; of a secret only whether it is set. */
function Value({ setting: { secret, is_set, value } }: { setting: Setting }) {
  if (secret) return <Status tone={is_set ? 'good' : 'quiet'} icon={KeyRound} text={say(is_set ? 'set' : 'unset')} />;
  if (!is_set || value === null) return <span className="quiet">–</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
