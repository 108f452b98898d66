import { type AuditRun, auditRunOf, describeAudit } from '@mediagate/billing';
import type { AuditRunSnapshot, ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { OperatorHandler } from '../../http/handler';
import { readChange, requireChanged, sendData } from './change';
import { readNumberedPage, sendPage } from './page';

export interface AuditDeps {
  requestAudit(request: ChangeRequest): Promise<ChangeOutcome>;
  listAudits(page: { before: bigint | undefined; limit: number }): Promise<AuditRun[]>;
}

const LIST = 'audits';

/** GET /admin/v1/audits: the newest first. */
export function createListAudits({ listAudits }: AuditDeps): OperatorHandler {
  return async ({ request, response }) => {
    const { query, limit, before } = readNumberedPage(request, LIST);
    query.end();
    const runs = await listAudits({ before, limit: limit + 1 });
    sendPage(response, runs, { list: LIST, limit, placeOf: ({ id }) => String(id), describe: describeAudit });
  };
}

/** POST /admin/v1/audits: 202 for a new run, 200 for one that waits or is under way. */
export function createRunAudit({ requestAudit }: AuditDeps): OperatorHandler {
  return async (call) => {
    const outcome = await requestAudit((await readChange(call)).end());
    const { before, after } = await requireChanged(call.response, outcome, { unchanged: neverUnchanged });
    sendData(call.response, describeAudit(auditRunOf(after as AuditRunSnapshot)), before === null ? 202 : 200);
  };
}

function neverUnchanged(): never {
  throw new Error('an audit can always be asked for');
}
