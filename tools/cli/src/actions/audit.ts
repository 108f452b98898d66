import { audit, INVARIANTS } from '@mediagate/billing';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export async function check(session: Session): Promise<Answer> {
  const violations = await audit(await session.openDatabase());
  const rows = violations.map(({ invariant, subject, detail }) => [invariant, subject, detail]);
  const clean = violations.length === 0;
  return {
    json: { clean, invariants: INVARIANTS.length, violations },
    text: clean ? `clean: ${INVARIANTS.length} invariants hold` : textTable(['INVARIANT', 'SUBJECT', 'DETAIL'], rows),
    faulty: !clean,
  };
}
