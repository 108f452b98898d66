import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import classes from './narrow-field.module.css';

interface NarrowFieldProps {
  /** Says by what the list is narrowed. */
  label: string;
  value: string;
  onChange(value: string): void;
}

/** A field above a list that narrows it letter by letter. */
export function NarrowField({ label, value, onChange }: NarrowFieldProps) {
  return (
    <TextInput
      className={classes.field ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
