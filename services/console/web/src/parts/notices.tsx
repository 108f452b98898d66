import { CloseButton } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { say } from '../frame/texts.ts';
import { faultText } from './failure.tsx';
import classes from './notices.module.css';

interface Notice {
  id: number;
  text: string;
}

const MAX_SHOWN = 3;

let notices: readonly Notice[] = [];
let nextId = 1;
const subscribers = new Set<() => void>();

/** Says in a corner of the page, and to screen readers, why an action failed, until it is closed. */
export function notifyFailure(error: unknown): void {
  show([...notices, { id: nextId++, text: faultText(error) }].slice(-MAX_SHOWN));
}

/** The place where notices appear; once in the page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={classes.notices} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div key={id} className={classes.notice}>
          <CircleAlert size={16} aria-hidden />
          <span>{text}</span>
          <CloseButton size="sm" aria-label={say('close')} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
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
