import type { KeyOperationId, OpenOperationId, OperatorOperationId, ServedOperation } from '@mediagate/api-contract';
import type { Call, Exchange, OperatorCall } from './exchange';

/** The work of an operation that asks for a key. */
export type KeyHandler = (call: Call, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that anybody may ask for. */
export type OpenHandler = (exchange: Exchange, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that asks for an operator's token. */
export type OperatorHandler = (call: OperatorCall, operation: ServedOperation) => Promise<void> | void;

export type OperatorHandlers = Record<OperatorOperationId, OperatorHandler>;

/** The handler of each entry of the operation table. */
export type Handlers = Record<KeyOperationId, KeyHandler> & Record<OpenOperationId, OpenHandler> & OperatorHandlers;
