import { Button, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { AddressProps } from '../../parts/use-address.ts';
import classes from './log-page.module.css';
import { say } from './texts.ts';

export const FILTERS = ['actor', 'action', 'subject', 'created_after', 'created_before'] as const;

interface FiltersProps extends AddressProps {
  /** The actions in the rows that are shown, to choose from. */
  known: readonly string[];
}

/** The filters by actor, action, subject and time, all of which stand in the address. */
export function Filters({ words, known, onChange }: FiltersProps) {
  const list = useId();
  const field = (name: (typeof FILTERS)[number], further: object = {}) => (
    <TextInput
      label={say(`filter.${name}`)}
      value={words.get(name) ?? ''}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      {...further}
    />
  );
  const isFiltered = FILTERS.some((name) => words.has(name));
  return (
    <div className={classes.filters}>
      {field('actor', { placeholder: 'operator:…' })}
      {field('action', { list, placeholder: 'account.suspend' })}
      {field('subject', { placeholder: 'acct_…' })}
      {field('created_after', { type: 'date' })}
      {field('created_before', { type: 'date' })}
      <datalist id={list}>
        {known.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      {isFiltered && (
        <Button
          variant="subtle"
          size="sm"
          onClick={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
        >
          {say('filter.clear')}
        </Button>
      )}
    </div>
  );
}
