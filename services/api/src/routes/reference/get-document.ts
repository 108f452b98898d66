import { createHash } from 'node:crypto';
import type { JsonObject } from '@mediagate/contracts';
import { isUnchanged } from '../../http/conditional';
import { sendJsonText } from '../../http/exchange';
import type { OpenHandler } from '../../http/handler';

export interface DocumentDeps {
  /** The API as an OpenAPI document. */
  document: JsonObject;
}

/** GET and HEAD /openapi.json: written once, because it does not change while the process runs. */
export function createGetDocument({ document }: DocumentDeps): OpenHandler {
  const text = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return ({ request, response }) => {
    response.setHeader('ETag', etag);
    response.setHeader('Access-Control-Allow-Origin', '*');
    // A deployment may change it: ask each time, and get 304.
    response.setHeader('Cache-Control', 'no-cache');
    if (isUnchanged(request.headers['if-none-match'], etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    sendJsonText(response, 200, text);
  };
}
