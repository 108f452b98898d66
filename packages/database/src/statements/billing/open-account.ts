import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';
import { accountSnapshot } from './account-snapshot';

export interface AccountToOpen {
  id: string;
  name: string;
  webhookSecret: string;
}

export const openAccount: Statement<[account: AccountToOpen, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
opened as (
  insert into accounts as a (id, name, webhook_secret) values ($2, $3, $4) returning a.id, ${accountSnapshot('a')} as after
),
changed as (
  select id as subject, null::jsonb as before, after from opened
)`),
  values: ({ id, name, webhookSecret }, request) => [noteOf('account.create', request), id, name, webhookSecret],
};
