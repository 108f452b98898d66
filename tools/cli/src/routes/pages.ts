import type { OperatorRequest } from '@mediagate/api/operators-router';
import type { Json, JsonObject } from '@mediagate/contracts';
import type { OperatorsApi } from './operators-api';

const PAGE = 100;

/**
 * Asks a route, page by page where it has pages, until there are as many rows as `limit` says; without a limit until there are no more. A
 * page may be short or empty although there are more.
 */
export async function askPages(
  { ask }: Pick<OperatorsApi, 'ask'>,
  { entry, parameters = [] }: OperatorRequest,
  fields: Readonly<Record<string, Json>>,
): Promise<JsonObject> {
  if (!parameters.some(({ name }) => name === 'cursor')) return ask(entry, fields);
  const { limit: given = null } = fields;
  const wanted = given === null ? Number.POSITIVE_INFINITY : Number(given);
  // The route says what is wrong with a limit that is no number.
  if (Number.isNaN(wanted)) return ask(entry, fields);
  const rows: Json[] = [];
  let page = fields;
  for (;;) {
    const limit = Math.min(PAGE, wanted - rows.length);
    const answer = await ask(entry, { ...page, limit });
    const { data = [], next_cursor: next = null } = answer;
    if (Array.isArray(data)) rows.push(...data);
    if (next === null || rows.length >= wanted) return { ...answer, data: rows };
    page = { ...fields, cursor: next };
  }
}
