import type { Answers } from '../../api/gateway.ts';

export type Audit = Answers['adminListAudits']['data'][number];
export type Violation = Audit['violations'][number];

export const AUDITS = 'audits';

/** Where to look, by how the name of an invariant begins. */
export function placeOf(invariant: string): 'late' | 'sums' | 'report' | 'state' {
  if (invariant.startsWith('liveness')) return 'late';
  if (invariant.startsWith('usage')) return 'report';
  return /^(account|key|reservation|no balance)/.test(invariant) ? 'sums' : 'state';
}

/** The page of what a violation is about; undefined: it has none. */
export function pathOf(subject: string): string | undefined {
  if (subject.startsWith('acct_')) return `/accounts/${subject}`;
  return subject.startsWith('task_') ? `/tasks/${subject}` : undefined;
}
