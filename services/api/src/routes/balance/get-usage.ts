import { type Call, sendJson } from '../../http/exchange';
import { Query } from '../../http/query';
import { ACCEPTED_TIME, readTime } from '../../http/read-time';
import { METADATA_PREFIX, type ReadUsage, usageAsCsv, usageAsJson } from '../../use-cases/usage-report';

export interface UsageDeps {
  readUsage: ReadUsage;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;
const GROUPS = ['day', 'model', 'key', 'family'];
const MAX_GROUPS = 6;
const ACCEPTED_GROUPS = {
  limit: MAX_GROUPS,
  values: [...GROUPS, `${METADATA_PREFIX}<name>`].join(', '),
  example: 'day,model',
};
/** Of a name of metadata, as a submission may have it. */
const MAX_NAME_CHARACTERS = 64;
const CSV = 'text/csv';

/** GET /v1/usage: of the key's account, by the time of submission. */
export function createGetUsage({ readUsage }: UsageDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller }) => {
    const query = new Query(request);
    const now = new Date();
    const to = query.parsed('to', (text) => readTime(text, DAY_MS), ...ACCEPTED_TIME) ?? now;
    const from =
      query.parsed('from', (text) => readTime(text, 0), ...ACCEPTED_TIME) ??
      new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
    const groupBy = query.parsed('group_by', readGroups, 'must_be_groups', ACCEPTED_GROUPS) ?? ['day'];
    if (from >= to) query.refuse('from', 'must_be_before', { other: 'to' });
    else if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
      query.refuse('from', 'range_too_long', { days: MAX_DAYS, other: 'to' });
    query.end();
    const report = await readUsage({ accountId: caller.accountId, from, to, groupBy });
    response.setHeader('Vary', 'Accept');
    if (request.accepts(['application/json', CSV]) !== CSV) {
      sendJson(response, 200, { code: 200, ...usageAsJson(report) });
      return;
    }
    const body = usageAsCsv(report);
    response.statusCode = 200;
    response.setHeader('Content-Type', `${CSV}; charset=utf-8`);
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  };
}

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
