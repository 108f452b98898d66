import { ACCOUNT_OPERATIONS } from './accounts';
import { AUDIT_OPERATIONS } from './audits';
import { OPERATOR_KEY_OPERATIONS } from './keys';
import { LOG_OPERATIONS } from './log';

/** By operators' tokens, and on a port of their own where one is set. */
export const OPERATOR_OPERATIONS = {
  ...LOG_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...OPERATOR_KEY_OPERATIONS,
  ...AUDIT_OPERATIONS,
};
