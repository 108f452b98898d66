import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title?: string;
  /** The content beside the title, at its end. */
  aside?: ReactNode;
  /** The content reaches the edges, as a table does. */
  flush?: boolean;
  children: ReactNode;
}

/** One thing of a page, with its name. */
export function Panel({ title, aside, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} {...(title !== undefined && { 'aria-labelledby': id })}>
      {(title !== undefined || aside !== undefined) && (
        <div className={classes.head}>
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      <div className={flush ? '' : classes.body}>{children}</div>
    </section>
  );
}
