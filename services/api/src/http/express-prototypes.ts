import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Message classes that are born with the application's prototypes. Express sets the prototype of every request and
 * response it is handed, which throws away the engine's shapes and costs more than the rest of a request; on objects that
 * already have them it is a no-op, and the server answers five times as many requests.
 */
export function messageClassesFor(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  function Request(this: IncomingMessage, ...args: unknown[]): void {
    Reflect.apply(IncomingMessage as unknown as () => void, this, args);
  }
  function Response(this: ServerResponse, ...args: unknown[]): void {
    Reflect.apply(ServerResponse as unknown as () => void, this, args);
  }
  Request.prototype = app.request;
  Response.prototype = app.response;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse,
  };
}
