import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../frame/texts.ts';
import classes from './table.module.css';

/** A short table. Cells say by `data-align="end"`, `data-cut` and `data-wrap` how they stand, by `data-wide` that phones leave them out. It scrolls by itself where it is too wide. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroller} tabIndex={0} aria-label={caption}>
      <table className={classes.table}>
        <caption className="hidden-visually">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

/** Rows that are on their way, of the height that they will have. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.skeleton} role="status">
      <span className="hidden-visually">{say('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={14} my={12} />
      ))}
    </div>
  );
}
