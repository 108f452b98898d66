import { GatewayError, message } from '@mediagate/contracts';
import { sendJson } from '../../../http/exchange';
import type { OpenHandler } from '../../../http/route';

/**
 * POST /v1/vendor-callbacks/{token}: an upstream says that a job has moved on. Its word is not taken for anything: the body is
 * dropped unread, and the job is checked early. The answer does not tell whether there is such a job.
 */
export const receiveVendorCallback: OpenHandler = ({ request, response }, { callbackTokens, hastener }) => {
  const attempt = callbackTokens.attemptOf(String(request.params['token']));
  if (attempt === undefined) throw new GatewayError('authentication', message('link_unsigned'));
  hastener.hasten(attempt);
  sendJson(response, 200, { code: 200 });
};
