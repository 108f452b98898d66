import { Ban, CircleCheck, CircleDashed, CircleX, Hourglass, Loader, type LucideIcon } from 'lucide-react';
import type en from '../frame/locales/en.json';
import { say } from '../frame/texts.ts';
import classes from './status.module.css';

type Tone = 'good' | 'bad' | 'busy' | 'warning' | 'quiet';
type StatusText = Extract<keyof typeof en, `status.${string}`>;

interface StatusProps {
  tone: Tone;
  icon?: LucideIcon;
  text: string;
}

/** A state by colour, icon and word alike. */
export function Status({ tone, icon: Icon = ICONS[tone], text }: StatusProps) {
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon size={13} aria-hidden />
      {text}
    </span>
  );
}

const ICONS: Record<Tone, LucideIcon> = {
  good: CircleCheck,
  bad: CircleX,
  busy: Loader,
  warning: Hourglass,
  quiet: CircleDashed,
};

const TASK_TONES: Record<string, Tone> = {
  submitted: 'quiet',
  pending: 'quiet',
  processing: 'busy',
  completed: 'good',
  failed: 'bad',
};

/** The status of a task: `submitted`, `pending`, `processing`, `completed` or `failed`. */
export function TaskStatus({ status, reason }: { status: string; reason?: string | undefined }) {
  if (reason === 'cancelled') return <Status tone="quiet" icon={Ban} text={say('status.cancelled')} />;
  return <Status tone={TASK_TONES[status] ?? 'quiet'} text={say(`status.${status}` as StatusText)} />;
}

const DELIVERY_TONES: Record<string, Tone> = {
  pending: 'busy',
  sending: 'busy',
  delivered: 'good',
  rejected: 'bad',
  exhausted: 'bad',
  dropped: 'warning',
};

/** The state of a callback: `pending`, `delivered`, `rejected`, `exhausted` or `dropped`. */
export function DeliveryStatus({ state }: { state: string }) {
  // A task that is pending is in a queue; a callback may wait for its next attempt.
  const text = state === 'pending' ? say('status.waiting') : say(`status.${state}` as StatusText);
  return <Status tone={DELIVERY_TONES[state] ?? 'quiet'} text={text} />;
}
