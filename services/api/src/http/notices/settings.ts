import { decimalToNano, type Nano } from '@mediagate/contracts';
import type { NoticeSettingsChange } from '@mediagate/database';
import { changeSettings, describeSettings, OPERATORS, readSettings } from '@mediagate/notices';
import { requireChanged, sendData } from '../answers/answer-change';
import type { Exchange } from '../exchange';
import { type BodyFields, MAX_AMOUNT_UNITS } from '../fields/body-fields';
import type { Audience, NoticeHandler } from './audience';

const YEAR_MINUTES = 525_600;
const PERCENT = { min: 1, max: 100 };
const MAX_PERCENTS = 5;
const FAILED = { min: 1, max: 10_000 };

/** GET /v1/notices/settings and GET /admin/v1/notices/settings */
export function getNoticeSettings<Asked extends Exchange>({ ownerOf }: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) =>
    sendData(call.response, describeSettings(await readSettings(database, ownerOf(call))));
}

/** PATCH /v1/notices/settings and PATCH /admin/v1/notices/settings */
export function updateNoticeSettings<Asked extends Exchange>(audience: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const owner = audience.ownerOf(call);
    const { fields, end } = await audience.read(call);
    const change = { ...readFields(fields), ...(owner === OPERATORS ? readChannelMinutes(fields) : {}) };
    const outcome = await changeSettings(database, { owner, change }, end());
    await requireChanged(call.response, outcome);
    sendData(call.response, describeSettings(await readSettings(database, owner)));
  };
}

function readFields(fields: BodyFields): NoticeSettingsChange {
  const minutes = (name: string, min: number) =>
    fields.orNull(name, (field) => fields.integer(field, { min, max: YEAR_MINUTES }));
  return {
    lowBalanceNano: fields.orNull('low_balance', (field) => readAmount(fields, field)),
    keyQuotaPercents: fields.orNull('key_quota_percents', (field) => readPercents(fields, field)),
    callbacksFailed: fields.orNull('callbacks_failed', (field) => fields.integer(field, FAILED)),
    repeatMinutes: minutes('repeat_minutes', 0),
    quietMinutes: minutes('quiet_minutes', 1),
  };
}

function readChannelMinutes(fields: BodyFields): NoticeSettingsChange {
  const range = { min: 0, max: YEAR_MINUTES };
  return { channelMinutes: fields.orNull('channel_minutes', (field) => fields.integer(field, range)) };
}

function readAmount(fields: BodyFields, field: string): Nano | undefined {
  const units = fields.number(field, { min: 0, max: MAX_AMOUNT_UNITS });
  return units === undefined ? undefined : decimalToNano(units.toFixed(9));
}

function readPercents(fields: BodyFields, field: string): number[] | undefined {
  const given = fields.json(field);
  if (given === undefined) return undefined;
  const isPercent = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= PERCENT.min && value <= PERCENT.max;
  if (Array.isArray(given) && given.length > 0 && given.length <= MAX_PERCENTS && given.every(isPercent)) {
    return [...new Set(given as number[])].sort((left, right) => left - right);
  }
  fields.refuse('invalid_parameter', field, 'must_be_percents', { limit: MAX_PERCENTS });
  return undefined;
}
