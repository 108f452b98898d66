import { Select } from '@mantine/core';
import { say as sayFrame } from '../../frame/texts.ts';
import { NarrowField } from '../../parts/narrow-field.tsx';
import classes from './filters.module.css';
import { ACCOUNT_ROLES, OPERATOR_ROLES, STATES } from './queries.ts';
import { say } from './texts.ts';

interface FiltersProps {
  words: URLSearchParams;
  onChange(changes: Readonly<Record<string, string>>): void;
}

export function Filters({ words, onChange }: FiltersProps) {
  const choice = (name: string, label: string, data: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      data={data}
      value={words.get(name)}
      onChange={(value) => onChange({ [name]: value ?? '' })}
    />
  );
  const roles = [...OPERATOR_ROLES, ...ACCOUNT_ROLES].map((role) => ({ value: role, label: say(`role.${role}`) }));
  return (
    <div className={classes.filters}>
      <NarrowField
        label={say('filter.email')}
        value={words.get('email') ?? ''}
        onChange={(email) => onChange({ email })}
      />
      {choice(
        'kind',
        say('kind'),
        KINDS.map((kind) => ({ value: kind, label: say(`kind.${kind}`) })),
      )}
      {choice('role', say('column.role'), roles)}
      {choice(
        'state',
        say('column.state'),
        STATES.map((state) => ({ value: state, label: say(`state.${state}`) })),
      )}
    </div>
  );
}

const KINDS = ['operator', 'account'] as const;
