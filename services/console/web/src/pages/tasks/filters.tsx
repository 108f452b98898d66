import { Pill, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { Filter } from '../../parts/filter.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import classes from './filters.module.css';
import { filtersOf, searchFor } from './read-filters.ts';
import { say } from './texts.ts';

const STATUSES = ['submitted', 'pending', 'processing', 'completed', 'failed'] as const;
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'];
const CALLBACKS = ['pending', 'delivered', 'failed'] as const;
const HOUR_SECONDS = 3600;
const PERIODS = {
  hour: HOUR_SECONDS,
  day: 24 * HOUR_SECONDS,
  week: 168 * HOUR_SECONDS,
  month: 720 * HOUR_SECONDS,
} as const;

interface FiltersProps {
  words: URLSearchParams;
  onChange(changes: Readonly<Record<string, string>>): void;
}

/** Each stands in the address, so that a list can be shared and come back to. */
export function Filters({ words, onChange }: FiltersProps) {
  const navigate = useNavigate();
  const models = useQuery(modelIdsQuery);
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
        data={models.data ?? []}
        words={words}
        onChange={onChange}
      />
      <Filter
        name="callback"
        label={say('filter.callback')}
        data={CALLBACKS.map((value) => ({ value, label: say(`callback.${value}`) }))}
        words={words}
        onChange={onChange}
      />
      <Period words={words} onChange={onChange} />
      <FreeFilters words={words} onChange={onChange} />
    </div>
  );
}

/** A period is kept as the time at which it begins, rounded so that the address does not change with every second. */
function Period({ words, onChange }: FiltersProps) {
  const since = Number(words.get('created_after'));
  const chosen = Object.entries(PERIODS).find(([, seconds]) => periodBegin(seconds) === since)?.[0] ?? null;
  return (
    <Select
      aria-label={say('filter.period')}
      placeholder={
        since > 0 ? new Date(since * 1000).toLocaleDateString(document.documentElement.lang) : say('filter.period')
      }
      data={(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map((value) => ({
        value,
        label: say(`period.${value}`),
      }))}
      value={chosen}
      clearable
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      onChange={(value) => {
        const seconds = PERIODS[value as keyof typeof PERIODS];
        onChange({ created_after: seconds === undefined ? '' : String(periodBegin(seconds)) });
      }}
    />
  );
}

function periodBegin(seconds: number): number {
  return Math.floor(Date.now() / 1000 / HOUR_SECONDS) * HOUR_SECONDS - seconds + HOUR_SECONDS;
}

/** The filters that were typed: metadata and the idempotency key. */
function FreeFilters({ words, onChange }: FiltersProps) {
  const free = Object.entries(filtersOf(words)).filter(
    ([name]) => name === 'idempotency_key' || name.startsWith('metadata.'),
  );
  return free.map(([name, value]) => (
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
