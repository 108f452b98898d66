import type { JsonObject } from '@mediagate/contracts';
import type { OpenHandler } from '../../../http/handler';
import { StaticText } from '../../../http/static-text';

/** GET and HEAD /openapi.json and /openapi.operators.json. */
export function createGetDocument(whose: 'callers' | 'operators'): OpenHandler {
  let last: { document: JsonObject; text: StaticText } | undefined;
  // A deployment may change it: ask each time, and get 304.
  return (exchange, { documents }) => {
    const now = documents[whose]();
    if (last?.document !== now) last = { document: now, text: textOf(now) };
    return last.text.send(exchange, { 'Cache-Control': 'no-cache' });
  };
}

function textOf(document: JsonObject): StaticText {
  return new StaticText('application/json; charset=utf-8', async () => Buffer.from(JSON.stringify(document)));
}
