import { NavLink } from 'react-router';
import type { SessionUser } from '../api/session.ts';
import classes from './navigation.module.css';
import { pagesFor } from './page-table.ts';
import { say } from './texts.ts';

export function Navigation({ user }: { user: SessionUser }) {
  const shown = pagesFor(user).filter((page) => 'icon' in page);
  const groups = Map.groupBy(shown, ({ group }) => group);
  return (
    <nav aria-label={say('nav.label')} className={classes.navigation}>
      {[...groups].map(([group, pages]) => (
        <ul key={group} className={classes.group}>
          {pages.map(({ path, folder, icon: Icon }) => (
            <li key={path}>
              <NavLink to={path} end={path === '/'} className={classes.entry ?? ''}>
                <Icon size={16} aria-hidden />
                {say(`nav.${folder}`)}
              </NavLink>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
