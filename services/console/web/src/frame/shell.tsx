import { ActionIcon, Drawer } from '@mantine/core';
import { Menu } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { Session } from '../api/session.ts';
import logo from './logo.svg';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { say } from './texts.ts';
import { UserMenu } from './user-menu.tsx';

/** Navigation beside the page; on narrow screens it is a drawer. */
export default function Shell({ session, children }: { session: Session; children: ReactNode }) {
  const { pathname } = useLocation();
  const [opened, setOpened] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer
  useEffect(() => setOpened(false), [pathname]);
  const side = (
    <>
      <Navigation user={session.user} />
      <UserMenu user={session.user} />
    </>
  );
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {say('skip')}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={say('nav.open')}
          onClick={() => setOpened(true)}
        >
          <Menu size={18} />
        </ActionIcon>
        <Brand />
      </header>
      <aside className={classes.side}>
        <Brand />
        {side}
      </aside>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        size={264}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': say('close') }}
        classNames={{ body: classes.drawer }}
      >
        {side}
      </Drawer>
      <main id="content" className={classes.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Brand() {
  return (
    <span className={classes.brand}>
      <img src={logo} width="22" height="22" alt="" />
      mediagate
    </span>
  );
}
