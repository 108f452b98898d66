import { newWebhookSecret } from '@mediagate/callbacks';
import { MARKS, PRIORITY_CLASSES, UNMARKED } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import {
  type AccountSummary,
  closeAccount,
  describeAccount,
  findAccountOfKey,
  listAccounts,
  openAccount,
  readAccount,
  resumeAccount,
  suspendAccount,
} from '@mediagate/identity';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { readPageQuery, sendPage } from '../../http/fields/page';
import type { OperatorHandler } from '../../http/route';
import type { Operators } from '../../operators';
import { accountNotFound, refusedBy } from '../../use-cases/require-made';
import { describeChanged, readChange } from './change';

const LIST = 'accounts';
const STATES = ['active', 'suspended', 'closed'] as const;
const NAME = { maxCharacters: 200 };
const PER_MINUTE = { min: 1, max: 1_000_000 };

/** GET /admin/v1/accounts */
export const adminListAccounts: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST);
  const [text, keyId] = [query.text('query'), query.text('key_id')];
  const state = query.oneOf('state', STATES);
  if (keyId !== undefined && text !== undefined) query.refuse('key_id', 'not_together', { other: 'query' });
  query.end();
  const page =
    keyId === undefined
      ? await listAccounts(database, { text, state, before, limit })
      : { rows: await accountsOfKey(keyId), next: undefined };
  sendPage(response, LIST, page, describeAccount);

  async function accountsOfKey(id: string): Promise<AccountSummary[]> {
    const account = await findAccountOfKey(database, id);
    return account && (state ?? account.state) === account.state ? [account] : [];
  }
};

/** POST /admin/v1/accounts */
export const adminCreateAccount: OperatorHandler = async (call, { database }) => {
  const { fields, end } = await readChange(call);
  const name = fields.requiredLine('name', NAME);
  const priorityClass = fields.oneOf('priority_class', PRIORITY_CLASSES);
  const outcome = await openAccount(database, { name, priorityClass, webhookSecret: newWebhookSecret() }, end());
  const changed = await requireChanged(call.response, outcome);
  sendData(call.response, describeChanged(changed), 201);
};

/** GET /admin/v1/accounts/{account_id} */
export const adminGetAccount: OperatorHandler = async ({ request, response }, { database }) => {
  const account = await readAccount(database, String(request.params['account_id']));
  if (!account) throw accountNotFound();
  sendData(response, describeAccount(account));
};

/** PATCH /admin/v1/accounts/{account_id} */
export const adminUpdateAccount: OperatorHandler = async (call, { database }) => {
  const id = String(call.request.params['account_id']);
  const { fields, end } = await readChange(call);
  const settings = {
    name: fields.line('name', NAME),
    submitPerMinute: fields.orNull('submit_per_minute', (field) => fields.integer(field, PER_MINUTE)),
    queryPerMinute: fields.orNull('query_per_minute', (field) => fields.integer(field, PER_MINUTE)),
    priorityClass: fields.oneOf('priority_class', PRIORITY_CLASSES),
    marks: fields.orNull('marks', (field) => fields.oneOf(field, MARKS)),
    unmarked: fields.orNull('unmarked', (field) => fields.oneOf(field, UNMARKED)),
  };
  const outcome = await database.changeAccount(id, settings, end());
  const changed = await requireChanged(call.response, outcome, { unchanged: accountNotFound });
  sendData(call.response, describeChanged(changed));
};

type MoveAccount = (database: Operators['database'], id: string, request: ChangeRequest) => Promise<ChangeOutcome>;

/** POST /admin/v1/accounts/{account_id}/suspend, /resume, /close */
function moveAccount(move: MoveAccount): OperatorHandler {
  return async (call, { database }) => {
    const id = String(call.request.params['account_id']);
    const outcome = await move(database, id, (await readChange(call)).end());
    const unchanged = async () => refusedBy(await readAccount(database, id));
    sendData(call.response, describeChanged(await requireChanged(call.response, outcome, { unchanged })));
  };
}

export const adminSuspendAccount = moveAccount(suspendAccount);
export const adminResumeAccount = moveAccount(resumeAccount);
export const adminCloseAccount = moveAccount(closeAccount);
