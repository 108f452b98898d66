import { redeliverMany as sendManyAgain } from '@mediagate/callbacks';
import { redeliveryByCaller } from '../../../http/access/caller-change';
import { requireChanged, sendData } from '../../../http/answers/answer-change';
import { readJsonObject } from '../../../http/body/json-body';
import { BodyFields } from '../../../http/fields/body-fields';
import { describeRedelivered, readRedelivery } from '../../../http/fields/redelivery-fields';
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
