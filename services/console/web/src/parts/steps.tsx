import type { ReactNode } from 'react';
import { Moment } from './moment.tsx';
import classes from './steps.module.css';

export interface Step {
  key: string;
  /** The time of the step in Unix seconds. */
  at: number;
  text: ReactNode;
  detail?: string | undefined;
  tone: 'good' | 'bad' | 'busy' | 'quiet';
}

/** The steps that something went through, in order. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ key, at, text, detail, tone }) => (
        <li key={key} className={classes.step} data-tone={tone}>
          <span>
            {text}
            {detail !== undefined && <span className={classes.detail}>{detail}</span>}
          </span>
          <span className="quiet">
            <Moment at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
