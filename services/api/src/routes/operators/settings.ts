import { sendJson } from '../../http/exchange';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';

/** GET /admin/v1/settings */
export const adminListSettings: OperatorHandler = ({ request, response }, { listSettings }) => {
  new Query(request).end();
  sendJson(response, 200, { code: 200, data: { service: 'api', ...listSettings() } });
};
