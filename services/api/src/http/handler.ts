import type { KeyOperationId, OpenOperationId, ServedOperation } from '@mediagate/api-contract';
import type { Call, Exchange } from './exchange';

/** The work of an operation that asks for a key. */
export type KeyHandler = (call: Call, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that anybody may ask for. */
export type OpenHandler = (exchange: Exchange, operation: ServedOperation) => Promise<void> | void;

/** What does the work of each entry of the operation table. */
export type Handlers = Record<KeyOperationId, KeyHandler> & Record<OpenOperationId, OpenHandler>;
