import type {
  ErrorShape,
  KeyOperation,
  KeyOperationId,
  OpenOperation,
  OpenOperationId,
  OperatorOperation,
  OperatorOperationId,
  ServedOperation,
} from '@mediagate/api-contract';
import type { Api } from '../api';
import type { Operators } from '../operators';
import type { PageOrigins } from './access/cors';
import type { Call, Exchange, OperatorCall } from './exchange';

/** One line of the route table: what its operation says, and its work. */
export type Route = KeyRoute | OpenRoute | OperatorRoute;

/** The path as Express writes it, with the verb behind it: `/v1beta/models/:model:countTokens`. */
export function patternOf({ path, verb }: Pick<Route, 'path' | 'verb'>): string {
  return verb === undefined ? path : `${path}:${verb}`;
}

interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'delete' | 'options';
  /** The path as Express writes it: `/v1/tasks/:id`. */
  path: string;
  /** The text after the last colon of the path, if it selects between routes: `countTokens`. */
  verb?: string;
  /** How this family words its errors; absent: the standard way. */
  errors?: ErrorShape;
  /** The route's entry in the operation table; absent: it has none. */
  operation?: string;
  /** Origins whose pages may call it; absent: none. */
  pages?: PageOrigins;
}

export interface KeyRoute
  extends Endpoint,
    Pick<KeyOperation, 'auth' | 'bucket' | 'family' | 'keyHeader' | 'manages' | 'scope'> {
  handle(call: Call): Promise<void> | void;
}

export interface OpenRoute extends Endpoint, Pick<OpenOperation, 'auth' | 'perAddress'> {
  handle(exchange: Exchange): Promise<void> | void;
}

export interface OperatorRoute extends Endpoint, Pick<OperatorOperation, 'auth' | 'role'> {
  handle(call: OperatorCall): Promise<void> | void;
}

/** The work of an operation that asks for a key. */
export type KeyHandler = (call: Call, api: Api, operation: ServedOperation) => Promise<void> | void;

/** The work of an operation that anybody may ask for. */
export type OpenHandler = (exchange: Exchange, api: Api) => Promise<void> | void;

/** The work of an operation that asks for an operator's token. */
export type OperatorHandler = (call: OperatorCall, operators: Operators) => Promise<void> | void;

export type OperatorHandlers = Record<OperatorOperationId, OperatorHandler>;

/** The handler of each operation of callers. */
export type Handlers = Record<KeyOperationId, KeyHandler> & Record<OpenOperationId, OpenHandler>;
