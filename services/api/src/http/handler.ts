import type { KeyOperationId, OpenOperationId, OperatorOperationId, ServedOperation } from '@mediagate/api-contract';
import type { Api } from '../api';
import type { Operators } from '../operators';
import type { Call, Exchange, OperatorCall } from './exchange';

/** The work of an operation that asks for a key. */
export type KeyHandler = (call: Call, api: Api, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that anybody may ask for. */
export type OpenHandler = (exchange: Exchange, api: Api) => Promise<void> | void;

/** The work of an operation that asks for an operator's token. */
export type OperatorHandler = (call: OperatorCall, operators: Operators) => Promise<void> | void;

export type OperatorHandlers = Record<OperatorOperationId, OperatorHandler>;

/** The handler of each operation of callers. */
export type Handlers = Record<KeyOperationId, KeyHandler> & Record<OpenOperationId, OpenHandler>;
