import { say } from '../frame/texts.ts';
import { Status } from './status.tsx';

const TONES = { active: 'good', suspended: 'warning', closed: 'bad' } as const;

/** The state of an account: `active`, `suspended` or `closed`. */
export function AccountState({ state }: { state: keyof typeof TONES }) {
  return <Status tone={TONES[state]} text={say(`account.${state}`)} />;
}
