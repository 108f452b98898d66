import type { ReactNode } from 'react';
import classes from './two-columns.module.css';

/** The main column of a page, and beside it, or below on narrow screens, what belongs to it. */
export function TwoColumns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className="stack">{children}</div>
      <div className="stack">{side}</div>
    </div>
  );
}
