import { Button, Menu } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import type { Column } from '../../parts/data-table.tsx';
import { commonKeyColumns } from '../keys/key-columns.tsx';
import type { KeyAction } from '../keys/key-dialogs.tsx';
import type { ApiKey } from '../keys/queries.ts';
import { say } from './texts.ts';

interface ColumnOptions {
  supports: boolean;
  bills: boolean;
  onChoose(action: KeyAction, key: ApiKey): void;
}

export function keyColumns(options: ColumnOptions): readonly Column<ApiKey>[] {
  const { key, state, uses, quota, used } = commonKeyColumns();
  return [
    key,
    state,
    uses,
    quota,
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
    used,
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
