import { useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { sessionQuery } from '../../api/session.ts';
import classes from './board.module.css';
import { say } from './texts.ts';

const PATH = '/board';
/** Where Bull Board keeps what its reader has chosen. */
const STORED_AS = 'board-settings';
const STORED_VERSION = 2;

/** Bull Board in the page's frame and colours. What leads out of it leads on in the page. */
export function Board({ queue }: { queue: string }) {
  const scheme = useComputedColorScheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  // Bull Board reads it once, when it begins.
  useState(() => keepTheme(scheme));
  useEffect(() => {
    keepTheme(scheme);
    // There is no body before the frame has a document of its own.
    frame.current?.contentDocument?.body?.classList.toggle('dark-mode', scheme === 'dark');
  }, [scheme]);
  const follow = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) => {
    const inner = currentTarget.contentDocument;
    // The session has ended: the page asks who is there.
    if (!inner?.location.pathname.startsWith(PATH)) {
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      return;
    }
    inner.addEventListener('click', (event) => {
      const link = (event.target as Element).closest('a');
      if (link === null || link.origin !== location.origin || link.pathname.startsWith(PATH)) return;
      event.preventDefault();
      void navigate(link.pathname);
    });
  };
  const path = queue === '' ? `${PATH}/` : `${PATH}/queue/${encodeURIComponent(queue)}`;
  return <iframe ref={frame} className={classes.board} title={say('board')} src={path} onLoad={follow} />;
}

function keepTheme(theme: 'light' | 'dark'): void {
  const stored = storedSettings();
  const settings = { ...stored, state: { ...stored?.state, theme }, version: stored?.version ?? STORED_VERSION };
  localStorage.setItem(STORED_AS, JSON.stringify(settings));
}

function storedSettings(): { state?: object; version?: number } | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? 'null');
  } catch {
    // The settings are of an older form: Bull Board begins anew.
    return null;
  }
}
