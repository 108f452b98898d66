import type { ErrorShape, KeyOperation, OpenOperation, OperatorOperation } from '@mediagate/api-contract';
import type { PageOrigins } from './cors';
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
