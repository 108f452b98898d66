import {
  addChannel,
  type Channels,
  changeChannel,
  describeChannel,
  describeHistory,
  type ListedChannel,
  listChannels,
  probeChannel,
  readChannelHistory,
  removeChannel,
  resetChannel,
  type SettingsOutcome,
  type WantedSettings,
} from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import type { ChangeRequest } from '@mediagate/database';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { type OperatorCall, sendJson } from '../../http/exchange';
import type { BodyFields } from '../../http/fields/body-fields';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';
import { unknownId } from '../../use-cases/invalid';
import { readChange } from './change';
import { readSettings, requireSet } from './wanted-settings';

const MINUTES = { min: 1, max: 1440, fallback: 60 };
const HISTORY_MINUTES = { min: 48, max: 10_080, fallback: 1440 };
const MODEL = /^[^\0]{1,128}$/;
const ACCEPTED_MODEL = ['too_many_characters', { limit: 128 }] as const;
const MINUTE_MS = 60_000;
const WEIGHT = { min: 1, max: 1000 };
const ID = { maxCharacters: 64 };

const idOf = ({ request }: OperatorCall) => String(request.params['channel_id']);

/** GET /admin/v1/channels */
export const adminListChannels: OperatorHandler = async ({ request, response }, { channels }) => {
  const query = new Query(request);
  const minutes = query.integer('minutes', MINUTES);
  query.end();
  const listed = await listChannels(channels, { sinceMs: minutes * MINUTE_MS });
  sendJson(response, 200, { code: 200, data: listed.map(describeChannel) });
};

/** GET /admin/v1/channels/{channel_id} */
export const adminGetChannel: OperatorHandler = (call, { channels }) => sendChannel(call, idOf(call), channels);

/** GET /admin/v1/channels/{channel_id}/history */
export const adminGetChannelHistory: OperatorHandler = async (call, { channels }) => {
  const query = new Query(call.request);
  const minutes = query.integer('minutes', HISTORY_MINUTES);
  const model = query.parsed('model', (text) => (MODEL.test(text) ? text : undefined), ...ACCEPTED_MODEL);
  query.end();
  const history = await readChannelHistory(channels, { channelId: idOf(call), minutes, model });
  if (history === undefined) throw unknownId();
  sendJson(call.response, 200, { code: 200, data: describeHistory(history) });
};

/** POST /admin/v1/channels/{channel_id}/probe */
export const adminProbeChannel: OperatorHandler = async (call, { channels }) => {
  const { end } = await readChange(call);
  const outcome = await probeChannel(channels, idOf(call), end());
  const { after } = await requireChanged(call.response, outcome, { unchanged: unknownId });
  sendData(call.response, after);
};

/** POST /admin/v1/channels */
export const adminAddChannel: OperatorHandler = async (call, { channels }) => {
  const { fields, end } = await readChange(call);
  const id = fields.requiredLine('id', ID);
  const wanted = readSettings(fields);
  await requireSet(call.response, await addChannel(channels, id, { wanted, request: end() }));
  await sendChannel(call, id, channels, 201);
};

function setChannel(read: (fields: BodyFields) => WantedSettings): OperatorHandler {
  return async (call, { channels }) => {
    const { fields, end } = await readChange(call);
    const wanted = read(fields);
    const outcome = await changeChannel(channels, idOf(call), { wanted, request: end() });
    await requireSet(call.response, outcome);
    await sendChannel(call, idOf(call), channels);
  };
}

/** PATCH /admin/v1/channels/{channel_id} */
export const adminUpdateChannel = setChannel(readSettings);
/** POST /admin/v1/channels/{channel_id}/drain, /disable and /weigh: they differ by the fields that they read. */
export const adminDrainChannel = setChannel(() => ({ fields: { state: 'draining' } }));
export const adminDisableChannel = setChannel(() => ({ fields: { state: 'disabled' } }));
export const adminWeighChannel = setChannel((fields) => ({ fields: readWeight(fields) }));

function readWeight(fields: BodyFields): JsonObject {
  const weight = fields.required('weight', fields.integer('weight', WEIGHT));
  return { weight: weight ?? null };
}

type GiveBack = (channels: Channels, channelId: string, request: ChangeRequest) => Promise<SettingsOutcome>;

function giveBackChannel(giveBack: GiveBack): OperatorHandler {
  return async (call, { channels }) => {
    const { end } = await readChange(call);
    const before = await findChannel(idOf(call), channels);
    await requireSet(call.response, await giveBack(channels, idOf(call), end()));
    // A channel that neither the file nor an operator has any more is shown as it was.
    const after = (await findChannel(idOf(call), channels)) ?? before;
    if (!after) throw unknownId();
    sendData(call.response, describeChannel(after) as JsonObject);
  };
}

/** POST /admin/v1/channels/{channel_id}/reset and /remove */
export const adminResetChannel = giveBackChannel(resetChannel);
export const adminRemoveChannel = giveBackChannel(removeChannel);

async function sendChannel(call: OperatorCall, id: string, channels: Channels, status = 200): Promise<void> {
  const channel = await findChannel(id, channels);
  if (!channel) throw unknownId();
  sendData(call.response, describeChannel(channel) as JsonObject, status);
}

async function findChannel(id: string, channels: Channels): Promise<ListedChannel | undefined> {
  const [channel] = await listChannels(channels, { sinceMs: MINUTES.fallback * MINUTE_MS, channelId: id });
  return channel;
}
