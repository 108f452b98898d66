import type { Task } from '../../api/task.ts';
import { Panel } from '../../parts/panel.tsx';
import { type Step, Steps } from '../../parts/steps.tsx';
import type en from './locales/en.json';
import { say } from './texts.ts';

type AttemptText = Extract<keyof typeof en, `attempt.${string}`>;
const ATTEMPT_TONES: Record<string, Step['tone']> = { succeeded: 'good', refused: 'bad', unknown: 'bad' };

/** The steps that the task went through, in order. */
export function Timeline({ task }: { task: Task }) {
  return (
    <Panel title={say('timeline')}>
      <Steps steps={stepsOf(task)} />
    </Panel>
  );
}

function stepsOf({ created, attempts = [], completed, status, error }: Task): Step[] {
  const steps: Step[] = [{ key: 'created', at: created, text: say('timeline.submitted'), tone: 'quiet' }];
  for (const { number, state, reason, started_at, ended_at } of attempts) {
    steps.push({
      key: `attempt-${number}`,
      at: ended_at ?? started_at,
      text: say(`attempt.${state}` as AttemptText, { number }),
      detail: reason,
      tone: ATTEMPT_TONES[state] ?? 'busy',
    });
  }
  if (completed !== undefined) {
    const isGood = status === 'completed';
    const text = say(isGood ? 'timeline.completed' : 'timeline.failed');
    steps.push({ key: 'end', at: completed, text, detail: error?.message, tone: isGood ? 'good' : 'bad' });
  }
  return steps;
}
