import type { Operation } from '../../operation';
import { json, object, ref, string, wrapped } from '../../schemas/build';
import { AMOUNT, CHANGE, CHANGE_KEY, READ, REASON } from './access';

const account = json(wrapped(ref('Account')));

export const ACCOUNT_OPERATIONS = {
  adminCreateAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts',
    summary: 'Open an account',
    parameters: [CHANGE_KEY],
    body: { content: json(object({ name: string('What to call it: up to 200 characters.') }), { name: 'Studio' }) },
    answers: {
      201: { description: 'The account.', content: json(object({ code: { const: 201 }, data: ref('Account') })) },
    },
    refusals: [409],
  },
  adminTopUpAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts/{account_id}/top-up',
    summary: 'Book a payment',
    parameters: [CHANGE_KEY],
    body: {
      content: json(
        object({
          amount: { ...AMOUNT, exclusiveMinimum: 0 },
          'reference?': string('Of the payment: one reference is booked once.'),
          'note?': string('Kept in the ledger.'),
          'reason?': REASON,
        }),
        { amount: 25, reference: 'invoice 2026-117' },
      ),
    },
    answers: { 200: { description: 'The account after it.', content: account } },
    refusals: [404, 409],
  },
  adminAdjustAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts/{account_id}/adjust',
    summary: 'Correct the balance',
    description:
      'In either direction, never below zero. The account sees the reason as no more than an entry `adjust`.',
    parameters: [CHANGE_KEY],
    body: {
      content: json(object({ amount: AMOUNT, reason: REASON }), { amount: -2.5, reason: 'booked twice' }),
    },
    answers: { 200: { description: 'The account after it.', content: account } },
    refusals: [404, 409],
  },
  adminGetAccount: {
    ...READ,
    path: '/admin/v1/accounts/{account_id}',
    summary: 'Read an account',
    answers: { 200: { description: 'The account.', content: account } },
    refusals: [404],
  },
} satisfies Record<string, Operation>;
