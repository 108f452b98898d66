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
