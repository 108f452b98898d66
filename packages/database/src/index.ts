export { type BatcherOptions, createBatcher } from './batcher';
export { type Database, type DatabaseOptions, openDatabase, type Statement } from './database';
export { DatabaseConflictError, DatabaseUnavailableError, sqlState } from './database-error';
export { diffFunctions } from './diff-functions';
export { diffSchema } from './diff-schema';
export { Prisma, type PrismaClient } from './generated/client';
export { migrate } from './migrate';
export { retrySafely } from './retry';
export { warnOfRoleSettings } from './role-settings';
