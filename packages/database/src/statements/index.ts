import type { StatementMethods } from '../statement';
import * as billing from './billing';
import * as callbacks from './callbacks';
import * as channels from './channels';
import * as identity from './identity';
import * as media from './media';
import * as notices from './notices';
import { findMissingRoleSettings, listConnections, readIsMigrated, readServer } from './server';
import * as settings from './settings';
import * as tasks from './tasks';

/** Every statement, under the name of its method and of what it is prepared as. */
export const STATEMENTS = {
  ...billing,
  ...callbacks,
  ...channels,
  ...identity,
  ...media,
  ...notices,
  ...settings,
  ...tasks,
  readServer,
  listConnections,
  readIsMigrated,
  findMissingRoleSettings,
};

/** A method for each statement, which answers its rows. */
export type Rows = StatementMethods<typeof STATEMENTS>;
