import type { JsonSchema } from '../operation';
import { BALANCE_SCHEMAS } from '../operations/balance';
import { MODEL_SCHEMAS } from '../operations/models';
import { PROVENANCE_SCHEMAS } from '../operations/provenance';
import { ACCOUNT_SCHEMAS } from './account';
import { CHANNEL_SCHEMAS } from './channels';
import { ESTIMATE_SCHEMAS } from './estimate';
import { FILE_SCHEMAS } from './file-record';
import { INVOICE_SCHEMAS } from './invoice';
import { KEY_SCHEMAS } from './keys';
import { LEDGER_SCHEMAS } from './ledger';
import { LEGACY_SCHEMAS } from './legacy';
import { NOTICE_SCHEMAS } from './notices';
import { OPENAI_SCHEMAS } from './openai';
import { OPERATOR_SCHEMAS } from './operators';
import { TASK_SCHEMAS } from './task-record';
import { TEXT_SCHEMAS } from './text';
import { TROUBLE_SCHEMAS } from './troubles';
import { USER_SCHEMAS } from './users';
import { WEBHOOK_SCHEMAS } from './webhooks';

/** All schemas that operations refer to by name. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...TASK_SCHEMAS,
  ...MODEL_SCHEMAS,
  ...TEXT_SCHEMAS,
  ...ESTIMATE_SCHEMAS,
  ...FILE_SCHEMAS,
  ...PROVENANCE_SCHEMAS,
  ...INVOICE_SCHEMAS,
  ...LEDGER_SCHEMAS,
  ...KEY_SCHEMAS,
  ...BALANCE_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...NOTICE_SCHEMAS,
  ...LEGACY_SCHEMAS,
  ...OPENAI_SCHEMAS,
  ...ACCOUNT_SCHEMAS,
  ...OPERATOR_SCHEMAS,
  ...TROUBLE_SCHEMAS,
  ...CHANNEL_SCHEMAS,
  ...USER_SCHEMAS,
};
