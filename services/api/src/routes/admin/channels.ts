import {
  describeChannel,
  describeHistory,
  type ListedChannel,
  type readChannelHistory,
  type SettingsOutcome,
  type WantedSettings,
} from '@mediagate/channels';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { BodyFields } from '../../http/body-fields';
import { type OperatorCall, sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readChange, requireChanged, sendData } from './change';
import { readSettings, requireSet } from './wanted-settings';

/** A request to set fields of a channel. */
interface Wanted {
  wanted: WantedSettings;
  request: ChangeRequest;
}

export interface ChannelDeps {
  listChannels(asked: { sinceMs: number; channelId?: string }): Promise<ListedChannel[]>;
  addChannel(channelId: string, wanted: Wanted): Promise<SettingsOutcome>;
  changeChannel(channelId: string, wanted: Wanted): Promise<SettingsOutcome>;
  resetChannel(channelId: string, request: ChangeRequest): Promise<SettingsOutcome>;
  removeChannel(channelId: string, request: ChangeRequest): Promise<SettingsOutcome>;
  readHistory(wanted: Parameters<typeof readChannelHistory>[1]): ReturnType<typeof readChannelHistory>;
  /** Asks the channel's vendor, and notes it. */
  probeChannel(channelId: string, request: ChangeRequest): Promise<ChangeOutcome>;
}

const MINUTES = { min: 1, max: 1440, fallback: 60 };
const HISTORY_MINUTES = { min: 48, max: 10_080, fallback: 1440 };
const MODEL = /^[^\0]{1,128}$/;
const ACCEPTED_MODEL = ['too_many_characters', { limit: 128 }] as const;
const MINUTE_MS = 60_000;
const WEIGHT = { min: 1, max: 1000 };
const ID = { maxCharacters: 64 };

const notFound = () => new GatewayError('not_found', message('nothing_of_that_id'));
const idOf = ({ request }: OperatorCall) => String(request.params['channel_id']);

/** GET /admin/v1/channels */
export function createListChannels({ listChannels }: ChannelDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const minutes = query.integer('minutes', MINUTES);
    query.end();
    const channels = await listChannels({ sinceMs: minutes * MINUTE_MS });
    sendJson(response, 200, { code: 200, data: channels.map(describeChannel) });
  };
}

/** GET /admin/v1/channels/{channel_id} */
export function createGetChannel(deps: ChannelDeps): OperatorHandler {
  return (call) => sendChannel(call, idOf(call), deps);
}

/** GET /admin/v1/channels/{channel_id}/history */
export function createGetHistory({ readHistory }: ChannelDeps): OperatorHandler {
  return async (call) => {
    const query = new Query(call.request);
    const minutes = query.integer('minutes', HISTORY_MINUTES);
    const model = query.parsed('model', (text) => (MODEL.test(text) ? text : undefined), ...ACCEPTED_MODEL);
    query.end();
    const history = await readHistory({ channelId: idOf(call), minutes, model });
    if (history === undefined) throw notFound();
    sendJson(call.response, 200, { code: 200, data: describeHistory(history) });
  };
}

/** POST /admin/v1/channels/{channel_id}/probe */
export function createProbeChannel({ probeChannel }: ChannelDeps): OperatorHandler {
  return async (call) => {
    const { end } = await readChange(call);
    const outcome = await probeChannel(idOf(call), end());
    const { after } = await requireChanged(call.response, outcome, { unchanged: notFound });
    sendData(call.response, after);
  };
}

/** POST /admin/v1/channels */
export function createAddChannel(deps: ChannelDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const id = fields.requiredLine('id', ID);
    const wanted = readSettings(fields);
    await requireSet(call.response, await deps.addChannel(id, { wanted, request: end() }), notFound);
    await sendChannel(call, id, deps, 201);
  };
}

/** PATCH /admin/v1/channels/{channel_id} */
export function createUpdateChannel(deps: ChannelDeps): OperatorHandler {
  return setChannel(deps, readSettings);
}

/** POST /admin/v1/channels/{channel_id}/drain and similar routes: they differ by the fields that they read. */
export function createSetChannel(deps: ChannelDeps, settingsOf: (fields: BodyFields) => JsonObject): OperatorHandler {
  return setChannel(deps, (fields) => ({ fields: settingsOf(fields) }));
}

function setChannel(deps: ChannelDeps, read: (fields: BodyFields) => WantedSettings): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const wanted = read(fields);
    const outcome = await deps.changeChannel(idOf(call), { wanted, request: end() });
    await requireSet(call.response, outcome, notFound);
    await sendChannel(call, idOf(call), deps);
  };
}

/** POST /admin/v1/channels/{channel_id}/reset and /remove */
export function createGiveBackChannel(
  deps: ChannelDeps,
  giveBack: (channelId: string, request: ChangeRequest) => Promise<SettingsOutcome>,
): OperatorHandler {
  return async (call) => {
    const { end } = await readChange(call);
    const before = await findChannel(idOf(call), deps);
    await requireSet(call.response, await giveBack(idOf(call), end()), notFound);
    // A channel that neither the file nor an operator has any more is shown as it was.
    const after = (await findChannel(idOf(call), deps)) ?? before;
    if (!after) throw notFound();
    sendData(call.response, describeChannel(after) as JsonObject);
  };
}

export function readWeight(fields: BodyFields): JsonObject {
  const weight = fields.required('weight', fields.integer('weight', WEIGHT));
  return { weight: weight ?? null };
}

async function sendChannel(call: OperatorCall, id: string, deps: ChannelDeps, status = 200): Promise<void> {
  const channel = await findChannel(id, deps);
  if (!channel) throw notFound();
  sendData(call.response, describeChannel(channel) as JsonObject, status);
}

async function findChannel(id: string, { listChannels }: ChannelDeps): Promise<ListedChannel | undefined> {
  const [channel] = await listChannels({ sinceMs: MINUTES.fallback * MINUTE_MS, channelId: id });
  return channel;
}
