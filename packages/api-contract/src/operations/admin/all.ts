import { ACCOUNT_OPERATIONS } from './accounts';
import { AUDIT_OPERATIONS } from './audits';
import { SCHEDULE_OPERATIONS } from './callback-schedule';
import { CHANNEL_OPERATIONS } from './channels';
import { DELIVERY_OPERATIONS } from './deliveries';
import { OPERATOR_KEY_OPERATIONS } from './keys';
import { LOG_OPERATIONS } from './log';
import { OPERATOR_NOTICE_OPERATIONS } from './notices';
import { PRICE_OPERATIONS } from './prices';
import { OPERATOR_PROVENANCE_OPERATIONS } from './provenance';
import { QUEUE_OPERATIONS } from './queues';
import { SECRET_OPERATIONS } from './secrets';
import { SETTING_OPERATIONS } from './settings';
import { SUPPORT_OPERATIONS } from './tasks';
import { TROUBLE_OPERATIONS } from './troubles';
import { USAGE_OPERATIONS } from './usage';
import { USER_OPERATIONS } from './users';

/** By operators' tokens, and on a port of their own where one is set. */
export const OPERATOR_OPERATIONS = {
  ...LOG_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...OPERATOR_KEY_OPERATIONS,
  ...USER_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...SUPPORT_OPERATIONS,
  ...DELIVERY_OPERATIONS,
  ...CHANNEL_OPERATIONS,
  ...PRICE_OPERATIONS,
  ...OPERATOR_PROVENANCE_OPERATIONS,
  ...QUEUE_OPERATIONS,
  ...TROUBLE_OPERATIONS,
  ...SETTING_OPERATIONS,
  ...OPERATOR_NOTICE_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
  ...SECRET_OPERATIONS,
};
