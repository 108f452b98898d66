import { MARGIN_COLUMNS, type MarginColumn, marginAsCsv, marginAsJson } from '@mediagate/billing';
import { MARGIN_GROUPS, type MarginGroup } from '@mediagate/database';
import { nameOfReport, prefersCsv, readReader, sendCsv } from '../../http/answers/send-csv';
import { sendJson } from '../../http/exchange';
import { Query } from '../../http/fields/query';
import { readRange, readZone } from '../../http/fields/query-time';
import type { OperatorHandler } from '../../http/route';
import { reportMargin } from '../../use-cases/margin-report';

const ACCEPTED_GROUPS = { limit: MARGIN_GROUPS.length, values: MARGIN_GROUPS.join(', '), example: 'day,vendor' };

/** GET /admin/v1/usage: of all accounts, by the time of submission. */
export const adminGetUsage: OperatorHandler = async ({ request, response }, operators) => {
  const query = new Query(request);
  const timezone = readZone(query);
  const { from, to } = readRange(query, timezone);
  const groupBy = query.parsed('group_by', readGroups, 'must_be_groups', ACCEPTED_GROUPS) ?? ['day'];
  const units = query.oneOf('units', ['true', 'false']) === 'true';
  const reader = readReader(query);
  query.end();
  const report = await reportMargin(operators, { from, to, timezone, groupBy, units });
  const columns: MarginColumn[] = units ? [...MARGIN_COLUMNS, 'units'] : MARGIN_COLUMNS;
  const name = nameOfReport('margin', { from, to, timezone });
  if (prefersCsv(request, response))
    sendCsv(response, marginAsCsv({ ...report, timezone }, columns, reader.asText), { name, ...reader });
  else sendJson(response, 200, { code: 200, ...marginAsJson(report) });
};

function readGroups(text: string): MarginGroup[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const groups = MARGIN_GROUPS.filter((group) => names.includes(group));
  if (groups.length !== names.length) return undefined;
  return names as MarginGroup[];
}
