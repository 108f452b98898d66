import { buildDocument, type ServedOperation } from '@mediagate/api-contract';
import type { CatalogueEntry } from '@mediagate/catalog';
import { StaticText } from '../../../http/answers/static-text';
import type { OpenHandler } from '../../../http/route';

/** GET and HEAD /openapi.json and /openapi.operators.json: the description of these operations, made anew when the models have changed. */
export function createGetDocument(operations: readonly ServedOperation[]): OpenHandler {
  let last: { entries: readonly CatalogueEntry[]; text: StaticText } | undefined;
  // A deployment may change it: ask each time, and get 304.
  return (exchange, { catalogue: { entries }, publicBaseUrl }) => {
    if (last?.entries !== entries) last = { entries, text: textOf(operations, { entries, publicBaseUrl }) };
    return last.text.send(exchange, { 'Cache-Control': 'no-cache' });
  };
}

function textOf(operations: readonly ServedOperation[], deployment: Parameters<typeof buildDocument>[1]): StaticText {
  const document = buildDocument(operations, deployment);
  return new StaticText('application/json; charset=utf-8', async () => Buffer.from(JSON.stringify(document)));
}
