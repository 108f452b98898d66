import { Pill } from '@mantine/core';
import { SearchField } from '../../parts/search-field.tsx';
import type { AddressProps } from '../../parts/use-address.ts';
import classes from './deliveries-page.module.css';
import { say } from './texts.ts';

const NAMES = ['account_id', 'task_id'] as const;

/** Searches by the id of an account or a task. */
export function Search({ words, onChange }: AddressProps) {
  const search = (typed: string) => onChange({ [typed.startsWith('acct_') ? 'account_id' : 'task_id']: typed });
  return (
    <>
      <SearchField label={say('search')} className={classes.search} onSearch={search} />
      {NAMES.filter((name) => words.has(name)).map((name) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{ 'aria-label': say('filter.remove', { name }) }}
          onRemove={() => onChange({ [name]: '' })}
        >
          {name}={words.get(name)}
        </Pill>
      ))}
    </>
  );
}
