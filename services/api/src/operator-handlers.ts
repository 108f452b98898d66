import type { OperatorHandlers } from './http/handler';
import * as accounts from './routes/admin/accounts';
import * as attempts from './routes/admin/attempts';
import * as audits from './routes/admin/audits';
import * as callbackSchedule from './routes/admin/callback-schedule';
import * as channels from './routes/admin/channels';
import * as deliveries from './routes/admin/deliveries';
import * as invoice from './routes/admin/invoice';
import * as keys from './routes/admin/keys';
import * as log from './routes/admin/log';
import * as money from './routes/admin/money';
import * as notices from './routes/admin/notices';
import * as prices from './routes/admin/prices';
import * as queues from './routes/admin/queues';
import * as secrets from './routes/admin/secrets';
import * as settings from './routes/admin/settings';
import * as tasks from './routes/admin/tasks';
import * as usage from './routes/admin/usage';
import * as users from './routes/admin/users';

/** The handler of each operation of operators: each file of routes exports them under the operations' ids. */
export const OPERATOR_HANDLERS: OperatorHandlers = {
  ...accounts,
  ...attempts,
  ...audits,
  ...callbackSchedule,
  ...channels,
  ...deliveries,
  ...invoice,
  ...keys,
  ...log,
  ...money,
  ...notices,
  ...prices,
  ...queues,
  ...secrets,
  ...settings,
  ...tasks,
  ...usage,
  ...users,
};
