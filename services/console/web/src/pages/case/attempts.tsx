import { Link } from 'react-router';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import classes from './attempts.module.css';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

type Attempt = Case['attempts'][number];

const STATES = {
  starting: 'busy',
  accepted: 'busy',
  succeeded: 'good',
  refused: 'bad',
  unknown: 'warning',
} as const;

/** The vendors that were asked for the task, and what each said last. */
export function Attempts({ task: { attempts } }: { task: Case }) {
  return (
    <Panel title={say('attempts')}>
      {attempts.length === 0 && <p className="quiet">{say('attempts.none')}</p>}
      {attempts.toReversed().map((attempt) => (
        <article key={attempt.id} className={classes.attempt} aria-label={say('attempt', { number: attempt.number })}>
          <h3 className="row">
            {say('attempt', { number: attempt.number })}
            <AttemptState state={attempt.state} />
            <Link to={`/channels/${attempt.channel}`}>{attempt.channel}</Link>
            <span className={`quiet spread ${classes.when}`}>
              <Moment at={attempt.started_at} />
            </span>
          </h3>
          <AttemptFacts attempt={attempt} />
          {attempt.answer !== null && (
            <details>
              <summary>{say('attempt.answer')}</summary>
              <CodeBlock code={attempt.answer} />
            </details>
          )}
        </article>
      ))}
    </Panel>
  );
}

function AttemptState({ state }: { state: string }) {
  const known = state as keyof typeof STATES;
  return <Status tone={STATES[known] ?? 'quiet'} text={say(`state.${known}`)} />;
}

function AttemptFacts({ attempt }: { attempt: Attempt }) {
  const { fault, detail, external_id, request_ids, cost, state, started_at, ended_at, resolution } = attempt;
  const ended = state !== 'starting' && state !== 'accepted';
  return (
    <FactList
      facts={[
        fault !== null && [say('attempt.fault'), <code key="fault">{fault}</code>],
        detail !== null && [say('attempt.detail'), detail, 'long'],
        external_id !== null && [say('attempt.external'), <IdChip key="external" id={external_id} />],
        request_ids.length > 0 && [
          say('attempt.requests'),
          request_ids.map((request) => <IdChip key={request} id={request} />),
        ],
        ended_at !== null && [say('attempt.took'), `${(ended_at - started_at).toFixed(1)} s`],
        ended && [say('attempt.cost'), cost === null ? say('attempt.costUnknown') : <Money key="cost" amount={cost} />],
        resolution !== null && [say('attempt.resolution'), say(`resolution.${resolution as 'paid'}`)],
        state === 'unknown' &&
          resolution === null && [
            say('attempt.resolution'),
            <Link key="quarantine" to="/quarantine">
              {say('attempt.unresolved')}
            </Link>,
          ],
      ]}
    />
  );
}
