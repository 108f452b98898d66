import type { Operation } from '../../operation';
import { boolean, json, listOf, object, oneOf, page, string } from '../../schemas/build';
import { CURSOR, LIMIT } from '../access';
import { CHANGE, CHANGE_KEY, READ, REASON } from './access';

const time = (what: string) => ({
  type: ['integer', 'null'],
  description: `${what}, in Unix seconds; null: it was not, yet.`,
});

const run = object({
  id: string(),
  state: oneOf(['waiting', 'running', 'ended']),
  requested_at: time('When an operator asked for it; one by the clock never was'),
  started_at: time('When it began'),
  ended_at: time('When it ended'),
  clean: { type: ['boolean', 'null'], description: 'Every invariant holds; null: it has not ended.' },
  violations: listOf(
    object({
      invariant: string(),
      subject: string('The row at fault.'),
      detail: string('What is, and what should be.'),
    }),
    'At most 100 of each invariant.',
  ),
});

/** Audits of the books. */
export const AUDIT_OPERATIONS = {
  adminListAudits: {
    ...READ,
    path: '/admin/v1/audits',
    summary: 'List audits of the books and what they found',
    description:
      'The newest first: those by the clock (`AUDIT_SECONDS` of the reconciler) and those that were asked for. The last 1000 are kept.',
    parameters: [LIMIT, CURSOR],
    answers: { 200: { description: 'A page of audits.', content: json(page(run)) } },
  },
  adminRunAudit: {
    ...CHANGE,
    role: 'support',
    path: '/admin/v1/audits',
    summary: 'Audit the books now',
    description: 'The reconciler does it within seconds; the list has the result.',
    parameters: [CHANGE_KEY],
    body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'after the restore' }) },
    answers: {
      202: {
        description: 'It is asked for.',
        content: json(object({ code: { const: 202 }, data: object({ id: string(), requested: boolean() }) })),
      },
    },
    refusals: [409],
  },
} satisfies Record<string, Operation>;
