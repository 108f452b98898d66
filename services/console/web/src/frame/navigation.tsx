import { NavLink } from 'react-router';
import type { SessionUser } from '../api/session.ts';
import classes from './navigation.module.css';
import { type Page, pagesFor } from './page-table.ts';
import type { NavigationEntry } from './route.ts';
import { say } from './texts.ts';

type ShownPage = Page & { navigation: NavigationEntry };

export function Navigation({ user }: { user: SessionUser }) {
  const shown = pagesFor(user).filter((page): page is ShownPage => page.navigation !== undefined);
  const groups = Map.groupBy(shown, ({ navigation }) => Math.floor(navigation.order / 100));
  return (
    <nav aria-label={say('nav.label')} className={classes.navigation}>
      {[...groups].map(([group, pages]) => (
        <ul key={group} className={classes.group}>
          {pages.map((page) => (
            <Entry key={page.path} {...page} />
          ))}
        </ul>
      ))}
    </nav>
  );
}

function Entry({ path, navigation: { label, icon: Icon } }: ShownPage) {
  return (
    <li>
      <NavLink to={path} end={path === '/'} className={classes.entry ?? ''}>
        <Icon size={16} aria-hidden />
        {say(label)}
      </NavLink>
    </li>
  );
}
