import { Pill, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { Filter } from '../../parts/filter.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { channelsQuery } from '../channels/queries.ts';
import classes from './filters.module.css';
import { filtersOf, searchFor, typedFilters } from './read-filters.ts';
import { say } from './texts.ts';

const STATUSES = ['submitted', 'pending', 'processing', 'completed', 'failed'] as const;
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'];

/** The longest of ten languages fits. */
const DAY_LABEL_PX = 56;

interface FiltersProps {
  words: URLSearchParams;
  onChange(changes: Readonly<Record<string, string>>): void;
}

/** Each stands in the address, so that a search can be passed on with the case. */
export function Filters({ words, onChange }: FiltersProps) {
  const navigate = useNavigate();
  const channels = useQuery(channelsQuery);
  const models = [...new Set(channels.data?.flatMap((channel) => channel.models))].toSorted();
  const search = (text: string) => {
    const searched = searchFor(text);
    if ('taskId' in searched) void navigate(`/tasks/${searched.taskId}`);
    else onChange(searched.filters);
  };
  return (
    <div className={classes.filters}>
      <SearchField label={say('search')} className={classes.search} onSearch={search} />
      <Filter
        name="status"
        label={say('filter.status')}
        data={STATUSES.map((value) => ({ value, label: sayFrame(`status.${value}`) }))}
        words={words}
        onChange={onChange}
      />
      <Filter name="family" label={say('filter.family')} data={FAMILIES} words={words} onChange={onChange} />
      <Filter
        name="model"
        label={say('filter.model')}
        searchable
        nothingFoundMessage={say('filter.noModel')}
        data={models}
        words={words}
        onChange={onChange}
      />
      <Day name="created_after" label={say('filter.from')} words={words} onChange={onChange} />
      <Day name="created_before" label={say('filter.to')} words={words} onChange={onChange} />
      <TypedFilters words={words} onChange={onChange} />
    </div>
  );
}

/** A day of UTC, as the API takes them. */
function Day({ name, label, words, onChange }: FiltersProps & { name: string; label: string }) {
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

function TypedFilters({ words, onChange }: FiltersProps) {
  return typedFilters(filtersOf(words)).map(([name, value]) => (
    <Pill
      key={name}
      withRemoveButton
      removeButtonProps={{ 'aria-label': say('filter.remove', { name }) }}
      onRemove={() => onChange({ [name]: '' })}
    >
      {name}={value}
    </Pill>
  ));
}
