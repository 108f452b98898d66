import type { ReactNode } from 'react';
import classes from './page-head.module.css';
import { useTitle } from './use-title.ts';

interface PageHeadProps {
  title: string;
  /** Above the title: the way back. */
  crumb?: ReactNode;
  about?: ReactNode;
  /** What can be done here. */
  children?: ReactNode;
}

/** A page's name, also that of its tab, and what can be done there. */
export function PageHead({ title, crumb, about, children }: PageHeadProps) {
  useTitle(title);
  return (
    <div className={classes.head}>
      <div className={classes.names}>
        {crumb}
        <h1>{title}</h1>
        {about !== undefined && <p className={classes.about}>{about}</p>}
      </div>
      {children !== undefined && <div className="row">{children}</div>}
    </div>
  );
}
