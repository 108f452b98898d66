import { auditRunOf, describeAudit, describeRefund, priceInUnits, refundOf } from '@mediagate/billing';
import {
  exactSeconds,
  isJsonObject,
  type Json,
  type JsonObject,
  nanoToNumber,
  unixSeconds,
} from '@mediagate/contracts';
import type { AccountSnapshot, AuditRunSnapshot, KeySnapshot, RefundSnapshot, StoredPrice } from '@mediagate/database';
import { accountOf, describeAccount } from '../accounts/accounts';
import { describeLoggedKey } from '../keys/key-record';
import type { LoggedAction } from './list-actions';

/** An entry of the audit log, with what was changed in the words of the routes that show it. */
export function describeAction({ id, createdAt, actor, actorName, action, subject, detail }: LoggedAction): JsonObject {
  const { reason = null, before = null, after = null, ...others } = detail;
  return {
    id: String(id),
    created: unixSeconds(createdAt),
    actor,
    actor_name: actorName,
    action,
    subject,
    subject_kind: kindOf(action, subject),
    reason,
    before: describeState(action, before),
    after: describeState(action, after),
    ...(Object.keys(others).length === 0 ? {} : { detail: others }),
  };
}

const ACCOUNT_PREFIX = 'acct_';

/** `account.top_up` is of an account; `webhook.cancel` of the delivery of a callback. */
function kindOf(action: string, subject: string): string {
  if (action === 'webhook.redeliver_many' && subject.startsWith(ACCOUNT_PREFIX)) return 'account';
  const [word = ''] = action.split('.');
  return word === 'webhook' ? 'delivery' : word;
}

/** Entries that earlier releases wrote in another form are shown as they were written. */
function describeState(action: string, state: Json): Json {
  if (!isJsonObject(state)) return state;
  if (action.startsWith('account.') && 'balance' in state) return describeAccountState(state);
  if (action.startsWith('key.') && 'lastFour' in state) return describeLoggedKey(state as KeySnapshot);
  if (action === 'task.refund' && 'charged' in state) return describeRefund(refundOf(state as RefundSnapshot));
  if (action === 'audit.run' && 'requestedAt' in state) return describeAudit(auditRunOf(state as AuditRunSnapshot));
  if (action === 'price.set') return describePriceState(state);
  if (action.endsWith('.override')) return describeOverrideState(state);
  if (action === 'account.rotate_secret') return describeSecretState(state);
  return describeRow(state);
}

/** Columns that say nothing to operators: workers need them. */
const OF_WORKERS = new Set(['fence', 'lease_ms']);

/** Describes a row that was noted column by column. */
function describeRow(row: JsonObject): JsonObject {
  const columns = Object.entries(row).filter(([name]) => !OF_WORKERS.has(name));
  return Object.fromEntries(
    columns.map(([name, value]) => (isNano(name, value) ? inUnits(name, value) : [name, value])),
  );
}

const NANO = '_nano';

/** Nano-units are noted as decimal text, or null. */
function isNano(name: string, value: Json): value is string | null {
  return name.endsWith(NANO) && (value === null || (typeof value === 'string' && /^-?\d+$/.test(value)));
}

function inUnits(name: string, nano: string | null): [string, Json] {
  return [name.slice(0, -NANO.length), nano === null ? null : nanoToNumber(BigInt(nano))];
}

function describeAccountState(state: JsonObject): JsonObject {
  const { entry } = state;
  const account = describeAccount(accountOf(state as AccountSnapshot));
  if (!isJsonObject(entry)) return account;
  return { ...account, entry: { ...entry, amount: nanoToNumber(BigInt(String(entry['amount']))) } };
}

function describePriceState({ price, effective_at: effectiveAt, ...same }: JsonObject): JsonObject {
  return {
    ...same,
    price: isJsonObject(price) ? priceInUnits(price as StoredPrice) : null,
    ...(typeof effectiveAt === 'string' ? { effective_at: exactSeconds(effectiveAt) } : {}),
  };
}

/** Fields as the configuration file has them. */
function describeOverrideState({ effective_at: effectiveAt, ...fields }: JsonObject): JsonObject {
  return typeof effectiveAt === 'string' ? { ...fields, effective_at: exactSeconds(effectiveAt) } : fields;
}

/** The secrets themselves are in no entry. */
function describeSecretState({ previous_valid_until: until }: JsonObject): JsonObject {
  return { previous_valid_until: typeof until === 'string' ? unixSeconds(new Date(until)) : null };
}
