export { buildDocument, type DocumentOptions } from './document/openapi';
export type { Bucket, ErrorDialect, KeyOperation, Operation, OperatorOperation } from './operation';
export {
  type KeyOperationId,
  listOperations,
  type OpenOperationId,
  type OperatorOperationId,
  type ServedOperation,
} from './operation-table';
export { FAMILY_SUBMISSIONS } from './operations/generations';
export { OVERLAP_SECONDS } from './operations/webhooks';
export { referenceTables, withTables } from './reference-tables';
export {
  KEY_FIELDS,
  KEY_MAX_COUNT,
  KEY_MAX_MODELS,
  KEY_MAX_QUOTA,
  KEY_MODES,
  KEY_NAME_MAX_CHARACTERS,
  NEW_KEY_FIELDS,
} from './schemas/keys';
