import type { components } from '../../api/generated/api.ts';

export type { Account } from '../../api/account.ts';
export type LedgerEntry = components['schemas']['OperatorLedgerEntry'];
export type Invoice = components['schemas']['Invoice'];

/** Roots of the queries that a change of an account or its money shows in. */
export const ACCOUNT_VIEWS = ['account', 'accounts', 'account-ledger', 'account-invoice'];
