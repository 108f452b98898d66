import type { ReactNode } from 'react';
import classes from './page-head.module.css';
import { useTitle } from './use-title.ts';

interface PageHeadProps {
  title: string;
  /** The way back, above the title. */
  crumb?: ReactNode;
  about?: ReactNode;
  /** The actions of the page. */
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
