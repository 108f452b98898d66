import {
  type CallbackSchedule,
  describeSchedule,
  type SettingsOutcome,
  type WantedSettings,
} from '@mediagate/channels';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangeRequest } from '@mediagate/database';
import type { OperatorHandler } from '../../http/handler';
import { readChange, sendData } from './change';
import { readSettings, requireSet } from './wanted-settings';

export interface ScheduleDeps {
  readSchedule(): Promise<CallbackSchedule>;
  changeSchedule(wanted: { wanted: WantedSettings; request: ChangeRequest }): Promise<SettingsOutcome>;
}

const notFound = () => new GatewayError('not_found', message('nothing_of_that_id'));

/** GET /admin/v1/callback-schedule */
export function createGetSchedule({ readSchedule }: ScheduleDeps): OperatorHandler {
  return async ({ response }) => sendData(response, describeSchedule(await readSchedule()) as JsonObject);
}

/** PATCH /admin/v1/callback-schedule */
export function createUpdateSchedule({ readSchedule, changeSchedule }: ScheduleDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const wanted = readSettings(fields);
    await requireSet(call.response, await changeSchedule({ wanted, request: end() }), notFound);
    sendData(call.response, describeSchedule(await readSchedule()) as JsonObject);
  };
}
