import { exactMoney } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Step, Steps } from '../../parts/steps.tsx';
import type en from './locales/en.json';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

type Event = Case['timeline'][number];
type EventText = Extract<keyof typeof en, `event.${string}`>;

const TONES: Record<string, Step['tone']> = {
  'task.completed': 'good',
  'task.failed': 'bad',
  'attempt.began': 'busy',
  'attempt.ended': 'busy',
  'callback.sent': 'busy',
};

/** Task, attempts, money and callback in the order of time. */
export function Timeline({ task: { timeline } }: { task: Case }) {
  return (
    <Panel title={say('timeline')}>
      <Steps steps={timeline.map(stepOf)} />
    </Panel>
  );
}

function stepOf({ at, event, channel, number, outcome, amount }: Event, index: number): Step {
  const details = [channel, outcome, amount === undefined ? undefined : exactMoney(amount)];
  return {
    key: `${index} ${event}`,
    at,
    text: say(`event.${event.replace('.', '-')}` as EventText, { number: number ?? 0 }),
    detail: details.filter((detail) => detail !== undefined).join(' · ') || undefined,
    tone: TONES[event] ?? 'quiet',
  };
}
