import type { Statement } from '../statement';

/** Whether the migrations were applied. */
export const readIsMigrated: Statement<[], { migrated: boolean }> = {
  text: `select to_regclass('audit_log') is not null as migrated`,
  values: () => [],
};
