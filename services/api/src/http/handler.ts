import type { ServedOperation } from '@mediagate/api-contract';
import type { Call, Exchange } from './exchange';

/** The work of an operation that asks for a key. */
export type KeyHandler = (call: Call, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that anybody may ask for. */
export type OpenHandler = (exchange: Exchange, operation: ServedOperation) => Promise<void> | void;
