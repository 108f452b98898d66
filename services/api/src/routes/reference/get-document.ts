import type { JsonObject } from '@mediagate/contracts';
import type { OpenHandler } from '../../http/handler';
import { StaticText } from '../../http/static-text';

export interface DocumentDeps {
  /** The API as an OpenAPI document. */
  document: JsonObject;
}

/** GET and HEAD /openapi.json. */
export function createGetDocument({ document }: DocumentDeps): OpenHandler {
  const text = new StaticText('application/json; charset=utf-8', async () => Buffer.from(JSON.stringify(document)));
  // A deployment may change it: ask each time, and get 304.
  return (exchange) => text.send(exchange, { 'Cache-Control': 'no-cache' });
}
