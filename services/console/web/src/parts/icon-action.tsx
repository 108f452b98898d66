import { ActionIcon } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

interface IconActionProps {
  icon: LucideIcon;
  /** Read out in place of the icon. */
  label: string;
  loading?: boolean;
  onClick(): void;
}

/** An action on one row of a table. */
export function IconAction({ icon: Icon, label, loading = false, onClick }: IconActionProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} loading={loading} onClick={onClick}>
      <Icon size={14} />
    </ActionIcon>
  );
}
