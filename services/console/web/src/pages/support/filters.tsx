import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TaskFilters } from '../../parts/task-filters.tsx';
import type { AddressProps } from '../../parts/use-address.ts';
import { channelsQuery } from '../channels/queries.ts';
import classes from './filters.module.css';
import { searchFor, TYPED } from './read-filters.ts';
import { say } from './texts.ts';

/** The longest of ten languages fits. */
const DAY_LABEL_PX = 56;

export function Filters(props: AddressProps) {
  const channels = useQuery(channelsQuery);
  const models = [...new Set(channels.data?.flatMap((channel) => channel.models))].toSorted();
  return (
    <TaskFilters label={say('search')} searchFor={searchFor} models={models} typed={TYPED} {...props}>
      <Day name="created_after" label={say('filter.from')} {...props} />
      <Day name="created_before" label={say('filter.to')} {...props} />
    </TaskFilters>
  );
}

/** A day of UTC, as the API takes them. */
function Day({ name, label, words, onChange }: AddressProps & { name: string; label: string }) {
  return (
    <TextInput
      type="date"
      className={classes.day ?? ''}
      aria-label={label}
      leftSection={<span className={classes.about}>{label}</span>}
      leftSectionWidth={DAY_LABEL_PX}
      leftSectionPointerEvents="none"
      value={words.get(name) ?? ''}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}
