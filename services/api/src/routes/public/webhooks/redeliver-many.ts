import { redeliverMany as sendManyAgain } from '@mediagate/callbacks';
import { requireChanged, sendData } from '../../../http/answer-change';
import { BodyFields } from '../../../http/body-fields';
import { redeliveryByCaller } from '../../../http/caller-change';
import { readJsonObject } from '../../../http/json-body';
import { describeRedelivered, readRedelivery } from '../../../http/redelivery-fields';
import type { KeyHandler } from '../../../http/route';

/** POST /v1/webhooks/redeliver */
export const redeliverMany: KeyHandler = async (call, { callbacks }) => {
  const body = await readJsonObject(call);
  const request = redeliveryByCaller(call, body);
  const fields = new BodyFields(body);
  const { accountId, ownKeyId } = call.caller;
  const filter = { ...readRedelivery(fields), accountId, ownKeyId, isOwn: true };
  fields.end();
  const outcome = await sendManyAgain(callbacks, filter, request);
  const row = await requireChanged(call.response, outcome);
  sendData(call.response, describeRedelivered(row), 202);
};
