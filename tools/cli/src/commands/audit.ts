import { audit, INVARIANTS } from '@mediagate/billing';
import type { Command } from 'commander';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { type JsonFlag, jsonOption } from './json-option';

export function addAuditCommand(program: Command, session: Session): void {
  program
    .command('audit')
    .description('check every invariant of the books; exit code 1 when one is broken')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await check(session)));
}

async function check(session: Session): Promise<Answer> {
  const violations = await audit(await session.openDatabase());
  const rows = violations.map(({ invariant, subject, detail }) => [invariant, subject, detail]);
  const clean = violations.length === 0;
  return {
    json: { clean, invariants: INVARIANTS.length, violations },
    text: clean ? `clean: ${INVARIANTS.length} invariants hold` : textTable(['INVARIANT', 'SUBJECT', 'DETAIL'], rows),
    faulty: !clean,
  };
}
