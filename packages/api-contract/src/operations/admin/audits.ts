import type { Operation } from '../../operation';
import { json, listOf, object, oneOf, page, string, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT } from '../access';
import { CHANGE, READ, REASON } from './access';

const time = (what: string) => ({
  type: ['integer', 'null'],
  description: `${what}, in Unix seconds; null: it was not, yet.`,
});

const run = object({
  id: string('`audit_` and a number.'),
  state: oneOf(['waiting', 'running', 'ended']),
  requested_at: time('Time at which somebody asked for it'),
  requested_by: {
    type: ['string', 'null'],
    description: '`operator:<id of the token>`, or `cli:<user>` of `npx mediagate audit`; null: it was scheduled.',
  },
  started_at: time('When it began'),
  ended_at: time('When it ended'),
  whole: {
    type: 'boolean',
    description:
      'Whether it covers the whole books, like every audit that was asked for; false: a scheduled audit of long books, which covers what was booked since they were sealed, and every sum.',
  },
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
    summary: 'List audits of the books, with their findings',
    description:
      'The newest first: those by the clock (`AUDIT_SECONDS` of the reconciler), those that were asked for here, and those of `npx mediagate audit`. The last 1000 are kept.',
    parameters: [LIMIT, CURSOR],
    answers: { 200: { description: 'A page of audits.', content: json(page(run)) } },
  },
  adminRunAudit: {
    ...CHANGE,
    role: 'support',
    path: '/admin/v1/audits',
    summary: 'Audit the books now',
    description:
      'The reconciler does it within seconds; the list has the result. A run that waits or is under way is not asked for again: the answer is that one.',
    body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'after the restore' }) },
    answers: {
      200: { description: 'One that waits or is under way.', content: json(wrapped(run)) },
      202: { description: 'It is asked for.', content: json(object({ code: { const: 202 }, data: run })) },
    },
  },
} satisfies Record<string, Operation>;
