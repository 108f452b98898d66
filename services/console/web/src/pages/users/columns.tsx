import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, ShieldCheck } from 'lucide-react';
import { AccountLink } from '../../parts/account-link.tsx';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Status } from '../../parts/status.tsx';
import type { Asked } from './acts.ts';
import classes from './columns.module.css';
import { type State, stateOf, type User } from './queries.ts';
import { say } from './texts.ts';

interface ColumnOptions {
  showsAccount: boolean;
  actsOf(user: User): readonly Asked[];
  onAct(asked: Asked, user: User): void;
}

const TONES = { active: 'good', invited: 'warning', disabled: 'quiet' } as const satisfies Record<State, string>;

export function userColumns({ showsAccount, actsOf, onAct }: ColumnOptions): readonly Column<User>[] {
  return [
    {
      id: 'user',
      header: say('column.user'),
      width: 'minmax(0, 2fr)',
      cell: ({ name, email }) => (
        <span className={classes.names}>
          <span>{name}</span>
          <span className="quiet" title={email}>
            {email}
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: say('column.role'),
      width: '92px',
      cell: (user) => (
        <span className={classes.names}>
          <span>{say(`role.${user.role}`)}</span>
          {stateOf(user) !== 'active' && (
            <span className={`quiet ${classes.narrow}`}>{say(`state.${stateOf(user)}`)}</span>
          )}
        </span>
      ),
    },
    ...(showsAccount ? [accountColumn()] : []),
    {
      id: 'state',
      header: say('column.state'),
      width: '104px',
      wideOnly: true,
      cell: (user) => <Status tone={TONES[stateOf(user)]} text={say(`state.${stateOf(user)}`)} />,
    },
    {
      id: 'totp',
      header: say('column.totp'),
      width: '104px',
      wideOnly: true,
      cell: ({ totp }) => (totp ? <Status tone="good" icon={ShieldCheck} text={say('totp.on')} /> : '–'),
    },
    momentColumn('seen', say('column.seen'), ({ last_signed_in_at: at }) => at),
    {
      id: 'acts',
      header: '',
      width: '40px',
      align: 'end',
      cell: (user) => <Acts user={user} acts={actsOf(user)} onAct={onAct} />,
    },
  ];
}

function accountColumn(): Column<User> {
  return {
    id: 'account',
    header: say('column.account'),
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ account_id: id }) =>
      id === null ? <span className="quiet">{say('kind.operator')}</span> : <AccountLink id={id} />,
  };
}

interface ActsProps {
  user: User;
  acts: readonly Asked[];
  onAct(asked: Asked, user: User): void;
}

function Acts({ user, acts, onAct }: ActsProps) {
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end" width={220} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={say('acts', { name: user.name || user.email })}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => (
          <Menu.Item key={act} onClick={() => onAct(act, user)} {...(act === 'delete' && { color: 'red' })}>
            {say(`${act}.action`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
