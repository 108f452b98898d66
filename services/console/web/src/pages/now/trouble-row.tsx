import { Fragment } from 'react';
import { Link } from 'react-router';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Status } from '../../parts/status.tsx';
import { ChannelActions } from '../channels/channel-actions.tsx';
import type { Channel } from '../channels/queries.ts';
import type { Trouble } from './queries.ts';
import { say } from './texts.ts';
import classes from './troubles.module.css';

const TONES: Readonly<Record<string, 'bad' | 'warning'>> = { critical: 'bad', warning: 'warning' };

/** The page on which the action is taken. */
const PATHS: Readonly<Record<string, (subject: string) => string>> = {
  books_broken: () => '/books',
  queue: (subject) => `/queues?queue=${subject}`,
  channel: (subject) => `/channels/${subject}`,
  channel_full: (subject) => `/channels/${subject}`,
  attempts_unknown: () => '/quarantine',
  accounts_noticed: () => '/notices',
  account_floods: (subject) => `/accounts/${subject}`,
  books_waiting: () => '/books',
  model_ending: (subject) => `/channels/${subject}`,
};

/** The button that takes the action, where there is one. */
const BUTTONS = {
  our_settings: 'reset',
  closed_by_operator: 'reset',
  our_key: 'probe',
  name_gone: 'probe',
  not_known: 'probe',
  their_outage: 'drain',
  their_delay: 'drain',
  their_files: 'drain',
  answers_lost: 'drain',
} as const;

interface TroubleRowProps {
  trouble: Trouble;
  /** The channel in trouble. */
  channel: Channel | undefined;
}

/** One trouble: since when it stands, what it touches and costs, the likely cause, the one action, the evidence and the runbook. */
export function TroubleRow({ trouble, channel }: TroubleRowProps) {
  const { kind, urgency, subject, cause, detail, runbook } = trouble;
  const path = PATHS[kind]?.(encodeURIComponent(subject ?? ''));
  const action = textOf(`action.${cause}`) ?? trouble.action;
  const button = BUTTONS[cause as keyof typeof BUTTONS];
  return (
    <li className={classes.trouble}>
      <div className="row">
        <Status tone={TONES[urgency] ?? 'quiet'} text={textOf(`kind.${kind}`) ?? kind} />
        {subject !== null && <strong>{subject}</strong>}
        <Figures trouble={trouble} />
      </div>
      <span>
        {textOf(`cause.${cause}`)} {path === undefined ? action : <Link to={path}>{action}</Link>}
      </span>
      <div className={classes.evidence}>
        <span>
          {detail !== null && `${detail} · `}
          <code>{runbook}</code>
        </span>
        {channel !== undefined && button !== undefined && <ChannelActions channel={channel} only={button} />}
      </div>
    </li>
  );
}

/** The trouble's beginning, reach and cost, as far as each is known. */
function Figures({ trouble: { kind, since, touched, of, accounts, cost } }: { trouble: Trouble }) {
  // A channel that is slow has no total: its detail says all.
  const isCounted = touched > 0 && (kind !== 'channel' || of !== null);
  const figure = isCounted ? textOf(`figure.${kind}`, { count: touched, of: of ?? 0 }) : undefined;
  const figures = [
    since !== null && [say('since'), <Moment key="since" at={since} />],
    figure !== undefined && [figure],
    accounts !== null && accounts > 0 && [say('accounts', { count: accounts })],
    cost !== null && touched > 0 && [say('cost'), <Money key="cost" amount={cost} />],
  ].filter((each) => each !== false);
  return (
    <span className="quiet">
      {figures.map(([text, value], index) => (
        <Fragment key={text?.toString()}>
          {index > 0 && ' · '}
          {text} {value}
        </Fragment>
      ))}
    </span>
  );
}

/** Undefined: only a newer gateway knows the kind or cause. */
function textOf(key: string, parameters?: Parameters<typeof say>[1]): string | undefined {
  const text = say(key as 'title', parameters);
  return text === key ? undefined : text;
}
