import type { Callbacks } from '@mediagate/callbacks';
import type { Database } from '@mediagate/database';
import type { Tasks } from '@mediagate/tasks';

/** The domains that callers' routes work with. */
export interface Api {
  database: Database;
  tasks: Tasks;
  callbacks: Callbacks;
}
