import { CloseButton } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { say } from '../frame/texts.ts';
import { faultText } from './failure.tsx';
import classes from './notices.module.css';

interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

/** Notices of success go by themselves after so long; those of failures stay until they are closed. */
const SHOWN_MS = 5_000;
const MAX_SHOWN = 3;

let notices: readonly Notice[] = [];
let nextId = 1;
const subscribers = new Set<() => void>();

/** Says in a corner of the page, and to screen readers, what an action came to. */
export function notify(text: string): void {
  const id = add({ kind: 'done', text });
  setTimeout(() => remove(id), SHOWN_MS);
}

export function notifyFailure(error: unknown): void {
  add({ kind: 'failed', text: faultText(error) });
}

/** The place where notices appear; once in the page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={classes.notices} role="status" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={classes.notice} data-kind={kind}>
          {kind === 'done' ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
          <span>{text}</span>
          <CloseButton size="sm" aria-label={say('close')} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
}

function add(notice: Omit<Notice, 'id'>): number {
  const id = nextId++;
  show([...notices, { ...notice, id }].slice(-MAX_SHOWN));
  return id;
}

function remove(id: number): void {
  show(notices.filter((notice) => notice.id !== id));
}

function show(next: readonly Notice[]): void {
  notices = next;
  for (const subscriber of subscribers) subscriber();
}

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}
