import { GatewayError, message } from '@mediagate/contracts';
import type { CallbackTokens, CalledBack } from '@mediagate/tasks';
import { type Exchange, sendJson } from '../../http/exchange';

export interface VendorCallbackDeps {
  callbackTokens: Pick<CallbackTokens, 'attemptOf'>;
  /** Returns at once. */
  hastenCheck(attempt: CalledBack): void;
}

/**
 * POST /v1/vendor-callbacks/{token}: an upstream says that a job has moved on. Its word is not taken for anything: the body is
 * dropped unread, and the job is checked early. The answer does not tell whether there is such a job.
 */
export function createReceiveVendorCallback(deps: VendorCallbackDeps): (exchange: Exchange) => void {
  return ({ request, response }) => {
    const attempt = deps.callbackTokens.attemptOf(String(request.params['token']));
    if (attempt === undefined) throw new GatewayError('authentication', message('link_unsigned'));
    deps.hastenCheck(attempt);
    sendJson(response, 200, { code: 200 });
  };
}
