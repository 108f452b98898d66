import { nameOfReport, prefersCsv, readReader, sendCsv } from '../../../http/answers/send-csv';
import { sendJson } from '../../../http/exchange';
import { Query } from '../../../http/fields/query';
import { readRange, readZone } from '../../../http/fields/query-time';
import type { KeyHandler } from '../../../http/route';
import { METADATA_PREFIX, reportUsage, usageAsCsv, usageAsJson } from '../../../use-cases/usage-report';

const GROUPS = ['day', 'model', 'key', 'family'];
const MAX_GROUPS = 6;
const ACCEPTED_GROUPS = {
  limit: MAX_GROUPS,
  values: [...GROUPS, `${METADATA_PREFIX}<name>`].join(', '),
  example: 'day,model',
};
/** The longest name of metadata that a submission may have. */
const MAX_NAME_CHARACTERS = 64;

/** GET /v1/usage: of what the key sees, by the time of submission. */
export const getUsage: KeyHandler = async ({ request, response, caller }, api) => {
  const query = new Query(request);
  const timezone = readZone(query);
  const { from, to } = readRange(query, timezone);
  const groupBy = query.parsed('group_by', readGroups, 'must_be_groups', ACCEPTED_GROUPS) ?? ['day'];
  const reader = readReader(query);
  query.end();
  const { accountId, ownKeyId } = caller;
  const report = await reportUsage(api, { accountId, ownKeyId, from, to, timezone, groupBy });
  const name = nameOfReport('usage', { from, to, timezone });
  if (prefersCsv(request, response))
    sendCsv(response, usageAsCsv({ ...report, timezone }, reader.asText), { name, ...reader });
  else sendJson(response, 200, { code: 200, ...usageAsJson(report) });
};

function readGroups(text: string): string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const isRight = names.length <= MAX_GROUPS && new Set(names).size === names.length && names.every(isGroup);
  return isRight ? names : undefined;
}

function isGroup(name: string): boolean {
  if (GROUPS.includes(name)) return true;
  const key = name.startsWith(METADATA_PREFIX) ? name.slice(METADATA_PREFIX.length) : '';
  return key !== '' && key.length <= MAX_NAME_CHARACTERS && !key.includes('\0');
}
