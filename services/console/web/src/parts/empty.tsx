import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

/** Nothing is there: what would be, and what fills it. */
export function Empty({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <Icon size={22} aria-hidden />
      <p className={classes.title}>{title}</p>
      <div className={classes.text}>{children}</div>
    </div>
  );
}
