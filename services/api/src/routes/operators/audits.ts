import { type AuditRun, auditRunOf, describeAudit, listAudits, requestAudit } from '@mediagate/billing';
import { type AuditRunSnapshot, readPage } from '@mediagate/database';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { readNumberedPageQuery, sendPage } from '../../http/fields/page';
import type { OperatorHandler } from '../../http/route';
import { readChange } from './change';

const LIST = 'audits';

/** GET /admin/v1/audits: the newest first. */
export const adminListAudits: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, before } = readNumberedPageQuery(request, LIST);
  query.end();
  const page = await readPage<AuditRun>(limit, (rows) => listAudits(database, { before, limit: rows }));
  sendPage(response, LIST, page, describeAudit);
};

/** POST /admin/v1/audits: 202 for a new run, 200 for one that waits or is under way. */
export const adminRunAudit: OperatorHandler = async (call, { database }) => {
  const outcome = await requestAudit(database, (await readChange(call)).end());
  const { before, after } = await requireChanged(call.response, outcome);
  sendData(call.response, describeAudit(auditRunOf(after as AuditRunSnapshot)), before === null ? 202 : 200);
};
