import { Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { say } from '../frame/texts.ts';
import { Filter } from './filter.tsx';
import { SearchField } from './search-field.tsx';
import classes from './task-filters.module.css';
import { filtersIn, metadataName, replaceSearch, type Searched } from './task-search.ts';
import type { AddressProps } from './use-address.ts';

const STATUSES = ['submitted', 'pending', 'processing', 'completed', 'failed'] as const;
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'];

interface TaskFiltersProps extends AddressProps {
  /** Says what the search field takes. */
  label: string;
  searchFor(text: string): Searched;
  models: readonly string[];
  /** Names of the filters that are typed into the search field, beside those by metadata. */
  typed: readonly string[];
  /** Further filters of the page. */
  children: ReactNode;
}

/** Filters of a list of tasks. Each stands in the address, so that a list can be shared and come back to. */
export function TaskFilters({ label, searchFor, models, words, onChange, typed, children }: TaskFiltersProps) {
  const navigate = useNavigate();
  const search = (text: string) => {
    const searched = searchFor(text);
    if ('taskId' in searched) void navigate(`/tasks/${searched.taskId}`);
    else onChange(replaceSearch(words, typed, searched.filters));
  };
  return (
    <div className={classes.filters}>
      <SearchField label={label} className={classes.search} onSearch={search} />
      <Filter
        name="status"
        label={say('filter.status')}
        data={STATUSES.map((value) => ({ value, label: say(`status.${value}`) }))}
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
      {children}
      {Object.entries(filtersIn(words, typed)).map(([name, value]) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{ 'aria-label': say('filter.remove', { name: typedText(name) }) }}
          onRemove={() => onChange({ [name]: '' })}
        >
          {typedText(name)}: {value}
        </Pill>
      ))}
    </div>
  );
}

/** Says what a typed search looked for. */
function typedText(name: string): string {
  return metadataName(name) ?? say(`filter.typed.${name as 'request_id'}`);
}
