import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { Filter } from '../../parts/filter.tsx';
import { TaskFilters } from '../../parts/task-filters.tsx';
import type { AddressProps } from '../../parts/use-address.ts';
import { searchFor, TYPED } from './read-filters.ts';
import { say } from './texts.ts';

const CALLBACKS = ['pending', 'delivered', 'failed'] as const;
const HOUR_SECONDS = 3600;
const PERIODS = {
  hour: HOUR_SECONDS,
  day: 24 * HOUR_SECONDS,
  week: 168 * HOUR_SECONDS,
  month: 720 * HOUR_SECONDS,
} as const;

export function Filters(props: AddressProps) {
  const models = useQuery(modelIdsQuery);
  return (
    <TaskFilters label={say('search')} searchFor={searchFor} models={models.data ?? []} typed={TYPED} {...props}>
      <Filter
        name="callback"
        label={say('filter.callback')}
        data={CALLBACKS.map((value) => ({ value, label: say(`callback.${value}`) }))}
        {...props}
      />
      <Period {...props} />
    </TaskFilters>
  );
}

/** A period is kept as the time at which it begins, rounded so that the address does not change with every second. */
function Period({ words, onChange }: AddressProps) {
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
