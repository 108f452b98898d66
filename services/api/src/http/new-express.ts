import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { guardMessages, type RequestScopes } from './request-scope';

/** An application without routes, whose messages are work of the request that they belong to. */
export function newExpress(scopes: RequestScopes): Express {
  const app = express();
  guardMessages(app.request, scopes);
  guardMessages(app.response, scopes);
  return app
    .disable('x-powered-by')
    .disable('etag')
    .enable('case sensitive routing')
    .enable('strict routing')
    .set('query parser', 'simple');
}

/**
 * Message classes that are born with the application's prototypes. Express sets the prototype of every request and
 * response it is handed, which throws away the engine's shapes and costs more than the rest of a request; on objects that
 * already have them it is a no-op, and the server answers five times as many requests.
 */
export function messageClassesFor(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  // Node's own classes construct the messages: the engine sizes an object by its constructor's code, and makes a hash table of
  // one that outgrows it, which took 4 KB of a request.
  function Request(...args: unknown[]): object {
    return Reflect.construct(IncomingMessage, args, Request);
  }
  function Response(...args: unknown[]): object {
    return Reflect.construct(ServerResponse, args, Response);
  }
  Request.prototype = app.request;
  Response.prototype = app.response;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse,
  };
}
