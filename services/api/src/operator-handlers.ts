import type { OperatorHandlers } from './http/route';
import * as accounts from './routes/operators/accounts';
import * as attempts from './routes/operators/attempts';
import * as audits from './routes/operators/audits';
import * as callbackSchedule from './routes/operators/callback-schedule';
import * as channels from './routes/operators/channels';
import * as deliveries from './routes/operators/deliveries';
import * as invoice from './routes/operators/invoice';
import * as keys from './routes/operators/keys';
import * as log from './routes/operators/log';
import * as money from './routes/operators/money';
import * as notices from './routes/operators/notices';
import * as prices from './routes/operators/prices';
import * as provenance from './routes/operators/provenance';
import * as queues from './routes/operators/queues';
import * as secrets from './routes/operators/secrets';
import * as settings from './routes/operators/settings';
import * as tasks from './routes/operators/tasks';
import * as troubles from './routes/operators/troubles';
import * as usage from './routes/operators/usage';
import * as users from './routes/operators/users';

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
  ...provenance,
  ...queues,
  ...secrets,
  ...settings,
  ...tasks,
  ...troubles,
  ...usage,
  ...users,
};
