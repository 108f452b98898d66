import { Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronsUpDown, CircleUserRound, Languages, LogOut } from 'lucide-react';
import { Link } from 'react-router';
import { type SessionUser, sessionQuery, signOut } from '../api/session.ts';
import { notifyFailure } from '../parts/notices.tsx';
import { LANGUAGES, type Language } from '../texts/language-names.ts';
import { chooseLanguage, currentLanguage } from '../texts/languages.ts';
import { say } from './texts.ts';
import classes from './user-menu.module.css';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The menu of the user who is signed in: theme and language, which each browser keeps for itself, the profile, and the way out. */
export function UserMenu({ user }: { user: SessionUser }) {
  return (
    <Menu position="top-start" width={208} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <span className={classes.initial} aria-hidden>
            {(user.name || user.email).slice(0, 1).toUpperCase()}
          </span>
          <span className={classes.names}>
            <span>{user.name || user.email}</span>
            <span className="quiet">{user.account_name ?? say(`kind.${user.kind}`)}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeChoice />
        <LanguageChoice />
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<CircleUserRound size={14} />}>
          {say('nav.profile')}
        </Menu.Item>
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.theme}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={say('theme.label')}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as (typeof THEMES)[number])}
        data={THEMES.map((value) => ({ value, label: say(`theme.${value}`) }))}
      />
    </div>
  );
}

function LanguageChoice() {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<Languages size={14} />}>
          <span className="hidden-visually">{say('language.label')}</span> {LANGUAGES[currentLanguage()]}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <Menu.Item key={code} lang={code} onClick={() => chooseLanguage(code as Language)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

function SignOut() {
  const queries = useQueryClient();
  const leave = async () => {
    try {
      await signOut();
      // Nothing of this user is to be seen by the next one.
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void leave()}>
      {say('signOut')}
    </Menu.Item>
  );
}
