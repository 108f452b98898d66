import { Button, Menu } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import { momentColumn, moneyColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { KeyName, KeyState } from '../../parts/key-name.tsx';
import type { ApiKey } from './queries.ts';
import { say } from './texts.ts';

export type KeyAction = 'change' | 'rotate' | 'revoke';

interface ColumnOptions {
  supports: boolean;
  bills: boolean;
  onChoose(action: KeyAction, key: ApiKey): void;
}

export function keyColumns(options: ColumnOptions): readonly Column<ApiKey>[] {
  return [
    { id: 'key', header: say('column.key'), width: 'minmax(0, 2fr)', cell: (key) => <KeyName apiKey={key} /> },
    { id: 'state', header: say('column.state'), width: '96px', cell: (key) => <KeyState apiKey={key} /> },
    {
      id: 'uses',
      header: say('column.uses'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ families, models, scope }) => (
        <span className="quiet">
          {say(scope === 'own' ? 'scope.own.short' : 'scope.account.short')} ·{' '}
          {[...families, ...models].join(', ') || say('uses.all')}
        </span>
      ),
    },
    moneyColumn('quota', say('column.quota'), ({ quota }) => quota),
    {
      id: 'rate',
      header: say('column.rate'),
      width: '96px',
      align: 'end',
      wideOnly: true,
      cell: ({ submit_per_minute, max_concurrent }) => (
        <span className="number">
          {submit_per_minute} / {max_concurrent ?? '–'}
        </span>
      ),
    },
    momentColumn('used', say('column.used'), ({ last_used_at: at }) => at),
    {
      id: 'actions',
      header: say('actions'),
      width: '64px',
      align: 'end',
      cell: (key) => key.revoked_at === null && <Actions apiKey={key} {...options} />,
    },
  ];
}

function Actions({ apiKey, supports, bills, onChoose }: ColumnOptions & { apiKey: ApiKey }) {
  const actions: KeyAction[] = [
    ...(bills ? (['change', 'rotate'] as const) : []),
    ...(supports ? (['revoke'] as const) : []),
  ];
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={say('actions.of', { name: apiKey.name || apiKey.id })}
        >
          <Settings2 size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} onClick={() => onChoose(action, apiKey)}>
            {say(action)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
