import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router';
import classes from './crumb.module.css';

/** The way back to the list that a page belongs to. */
export function Crumb({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} className={classes.crumb ?? ''}>
      <ChevronLeft size={14} aria-hidden />
      {text}
    </Link>
  );
}
