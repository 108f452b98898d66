import { ArrowDownLeft, CircleCheck, Lock, type LucideIcon, RotateCcw, SlidersHorizontal } from 'lucide-react';
import type en from '../frame/locales/en.json';
import { say } from '../frame/texts.ts';
import { Status } from './status.tsx';

type EntryText = Extract<keyof typeof en, `entry.${string}`>;

const KINDS: Record<string, { icon: LucideIcon; tone: 'good' | 'busy' | 'quiet' | 'warning' }> = {
  hold: { icon: Lock, tone: 'warning' },
  settle: { icon: CircleCheck, tone: 'quiet' },
  refund: { icon: RotateCcw, tone: 'busy' },
  top_up: { icon: ArrowDownLeft, tone: 'good' },
  adjust: { icon: SlidersHorizontal, tone: 'quiet' },
};

/** The kind of an entry of the ledger: `hold`, `settle`, `refund`, `top_up`, `adjust`. */
export function EntryKind({ kind }: { kind: string }) {
  const { icon, tone } = KINDS[kind] ?? { icon: SlidersHorizontal, tone: 'quiet' };
  return <Status tone={tone} icon={icon} text={say(`entry.${kind}` as EntryText)} />;
}

/** Why the balance changed by more or less than the amount. */
export function aboutEntry(kind: string): string {
  switch (kind) {
    case 'hold':
      return say('ledger.about.hold');
    case 'settle':
      return say('ledger.about.settle');
    case 'refund':
      return say('ledger.about.refund');
    case 'top_up':
      return say('ledger.about.top_up');
    default:
      return say('ledger.about.adjust');
  }
}
