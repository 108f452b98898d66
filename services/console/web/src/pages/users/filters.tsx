import { Filter } from '../../parts/filter.tsx';
import { NarrowField } from '../../parts/narrow-field.tsx';
import type { AddressProps } from '../../parts/use-address.ts';
import classes from './filters.module.css';
import { ACCOUNT_ROLES, OPERATOR_ROLES, STATES } from './queries.ts';
import { say } from './texts.ts';

const KINDS = ['operator', 'account'] as const;

export function Filters(props: AddressProps) {
  const { words, onChange } = props;
  const kinds = KINDS.map((value) => ({ value, label: say(`kind.${value}`) }));
  const roles = [...OPERATOR_ROLES, ...ACCOUNT_ROLES].map((value) => ({ value, label: say(`role.${value}`) }));
  const states = STATES.map((value) => ({ value, label: say(`state.${value}`) }));
  return (
    <div className={classes.filters}>
      <NarrowField
        label={say('filter.email')}
        value={words.get('email') ?? ''}
        onChange={(email) => onChange({ email })}
      />
      <Filter name="kind" label={say('kind')} data={kinds} {...props} />
      <Filter name="role" label={say('column.role')} data={roles} {...props} />
      <Filter name="state" label={say('column.state')} data={states} {...props} />
    </div>
  );
}
