import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

type Fact = readonly [name: string, value: ReactNode, length?: 'long'];

/** Names and values below each other, a long value below its name; what does not apply is false. */
export function FactList({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value, length]) => (
          <div key={name} className={classes.fact} data-length={length}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
