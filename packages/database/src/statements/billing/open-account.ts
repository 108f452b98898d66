import type { PriorityClass } from '@mediagate/contracts';
import { change, noteOf, withNote } from '../identity/note';
import { accountSnapshot } from './account-snapshot';

export interface AccountToOpen {
  id: string;
  name: string;
  webhookSecret: string;
  /** Default: normal. */
  priorityClass?: PriorityClass | undefined;
}

export const openAccount = change<[account: AccountToOpen]>({
  text: withNote(`
opened as (
  insert into accounts as a (id, name, webhook_secret, priority_class) values ($2, $3, $4, $5) returning a.id, ${accountSnapshot('a')} as after
),
changed as (
  select id as subject, null::jsonb as before, after from opened
)`),
  values: ({ id, name, webhookSecret, priorityClass = 'normal' }, request) => [
    noteOf('account.create', request),
    id,
    name,
    webhookSecret,
    priorityClass,
  ],
});
