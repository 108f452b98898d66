import { Button, Checkbox, Popover } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { taskColumns } from './columns.tsx';
import { say } from './texts.ts';

interface ColumnChoiceProps {
  hidden: readonly string[];
  onChange(hidden: readonly string[]): void;
}

/** The choice of columns: all but the first, which leads to the task. */
export function ColumnChoice({ hidden, onChange }: ColumnChoiceProps) {
  const columns = taskColumns();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} />}>
          {say('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          aria-label={say('columns')}
          value={columns.map(({ id }) => id).filter((id) => !hidden.includes(id))}
          onChange={(shown) => onChange(columns.map(({ id }) => id).filter((id) => !shown.includes(id)))}
        >
          {columns.slice(1).map(({ id, header }) => (
            <Checkbox key={id} value={id} label={header} size="xs" my={8} />
          ))}
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
