import { changeWebhooks, describeSchedule, readSchedule } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import { sendData } from '../../http/answers/answer-change';
import type { OperatorHandler } from '../../http/route';
import { readChange } from './change';
import { readSettings, requireSet } from './wanted-settings';

/** GET /admin/v1/callback-schedule */
export const adminGetCallbackSchedule: OperatorHandler = async ({ response }, { channels }) =>
  sendData(response, describeSchedule(await readSchedule(channels)) as JsonObject);

/** PATCH /admin/v1/callback-schedule */
export const adminUpdateCallbackSchedule: OperatorHandler = async (call, { channels }) => {
  const { fields, end } = await readChange(call);
  const wanted = readSettings(fields);
  await requireSet(call.response, await changeWebhooks(channels, { wanted, request: end() }));
  sendData(call.response, describeSchedule(await readSchedule(channels)) as JsonObject);
};
