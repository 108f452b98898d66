import type { ListedChannel } from '@mediagate/channels';
import { describeChannel } from '@mediagate/channels';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, ChannelChange } from '@mediagate/database';
import type { BodyFields } from '../../http/body-fields';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readChange, requireChanged, sendData } from './change';

export interface ChannelDeps {
  listChannels(sinceMs: number): Promise<ListedChannel[]>;
  overrideChannel(channelId: string, wanted: { change: ChannelChange; request: ChangeRequest }): Promise<ChangeOutcome>;
}

const MINUTES = { min: 1, max: 1440, fallback: 60 };
const MINUTE_MS = 60_000;
const WEIGHT = { min: 1, max: 1000 };

/** GET /admin/v1/channels */
export function createListChannels({ listChannels }: ChannelDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const minutes = query.integer('minutes', MINUTES);
    query.end();
    const channels = await listChannels(minutes * MINUTE_MS);
    sendJson(response, 200, { code: 200, data: channels.map(describeChannel) });
  };
}

/** POST /admin/v1/channels/{channel_id}/drain and its like: they differ by what they read of the body. */
export function createSetChannel(
  { listChannels, overrideChannel }: ChannelDeps,
  changeOf: (fields: BodyFields) => ChannelChange,
): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['channel_id']);
    const { fields, end } = await readChange(call);
    const change = changeOf(fields);
    const outcome = await overrideChannel(id, { change, request: end() });
    await requireChanged(call.response, outcome, {
      unchanged: () => new GatewayError('not_found', message('nothing_of_that_id')),
    });
    const channel = (await listChannels(MINUTES.fallback * MINUTE_MS)).find((each) => each.id === id);
    if (!channel) throw new GatewayError('not_found', message('nothing_of_that_id'));
    sendData(call.response, describeChannel(channel) as JsonObject);
  };
}

export function readWeight(fields: BodyFields): ChannelChange {
  const weight = fields.required('weight', fields.integer('weight', WEIGHT));
  return { weight };
}
