export { buildDocument, type DocumentOptions } from './document/openapi';
export type { Bucket, ErrorShape, KeyOperation, OpenOperation, Operation, OperatorOperation } from './operation';
export {
  type KeyOperationId,
  listOperations,
  type OpenOperationId,
  type OperatorOperationId,
  type ServedOperation,
  submissionPath,
} from './operation-table';
export { FAMILY_SUBMISSIONS } from './operations/generations';
export { OVERLAP_SECONDS } from './operations/webhooks';
export { referenceTables, withTables } from './reference-tables';
export { KEY_MODES } from './schemas/keys';
export { OPENAI_TEXT_REQUESTS } from './schemas/openai-texts';
