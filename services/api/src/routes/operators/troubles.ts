import { answerLanguage } from '../../http/answers/answer-language';
import { sendJson } from '../../http/exchange';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';
import { listTroubles } from '../../use-cases/troubles/list-troubles';
import { describeTrouble } from '../../use-cases/troubles/trouble';

/** GET /admin/v1/troubles: the worst first. */
export const adminListTroubles: OperatorHandler = async ({ request, response }, operators) => {
  new Query(request).end();
  const troubles = await listTroubles(operators, { language: answerLanguage(response) });
  sendJson(response, 200, { code: 200, data: troubles.map(describeTrouble) });
};
