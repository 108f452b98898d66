export { buildDocument, type DocumentOptions } from './document/openapi';
export type { Bucket, ErrorDialect, KeyOperation, Operation } from './operation';
export { type KeyOperationId, listOperations, type OpenOperationId, type ServedOperation } from './operation-table';
export { OVERLAP_SECONDS } from './operations/webhooks';
export { referenceTables, withTables } from './reference-tables';
