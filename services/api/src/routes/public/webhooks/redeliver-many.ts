import { redeliverMany as sendManyAgain } from '@mediagate/callbacks';
import { BodyFields } from '../../../http/body-fields';
import { redeliveryByCaller } from '../../../http/caller-change';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { readJsonObject } from '../../../http/json-body';
import { describeRedelivered, readRedelivery } from '../../../http/redelivery-fields';
import { requireChanged } from '../../../use-cases/require-changed';

/** POST /v1/webhooks/redeliver */
export const redeliverMany: KeyHandler = async (call, { callbacks }) => {
  const body = await readJsonObject(call);
  const request = redeliveryByCaller(call, body);
  const fields = new BodyFields(body);
  const { accountId, ownKeyId } = call.caller;
  const filter = { ...readRedelivery(fields), accountId, ownKeyId, isOwn: true };
  fields.end();
  const outcome = await sendManyAgain(callbacks, filter, request);
  const { row, replayed } = await requireChanged(outcome, { unchanged: neverUnchanged });
  if (replayed) call.response.setHeader('Idempotency-Replayed', 'true');
  sendJson(call.response, 202, { code: 202, data: describeRedelivered(row) });
};

function neverUnchanged(): never {
  throw new Error('there is always a count');
}
