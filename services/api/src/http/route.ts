import type { Family, KeyScope, OperatorRole } from '@mediagate/contracts';
import type { PageOrigins } from './cors';
import type { ErrorShape } from './error-body';
import type { Call, Exchange, OperatorCall } from './exchange';
import type { Bucket } from './limits/rate-limit';

/** One line of the route table: everything about an endpoint but its work. */
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

/** Asks for an API key, and counts against its limits. */
export interface KeyRoute extends Endpoint {
  auth: 'key';
  bucket: Bucket;
  /** Another header in which clients of this route may send their key. */
  keyHeader?: string;
  /** The key must be allowed to use this family. */
  family?: Family;
  /** The least scope of the key. */
  scope: KeyScope;
  /** The key must have the right `manage`. */
  manages?: boolean;
  handle(call: Call): Promise<void> | void;
}

export interface OpenRoute extends Endpoint {
  auth: 'none';
  /** Requests that come from one address have a limit. */
  perAddress?: boolean;
  handle(exchange: Exchange): Promise<void> | void;
}

export interface OperatorRoute extends Endpoint {
  auth: 'operator';
  /** The least that the operator's role must be. */
  role: OperatorRole;
  handle(call: OperatorCall): Promise<void> | void;
}
