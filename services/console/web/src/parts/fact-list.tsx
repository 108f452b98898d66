import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

/** Names and values below each other; what does not apply is false. */
export function FactList({ facts }: { facts: readonly (readonly [string, ReactNode] | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
