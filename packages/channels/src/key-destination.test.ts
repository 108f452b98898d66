import type { JsonObject } from '@mediagate/contracts';
import type { SettingStep } from '@mediagate/database';
import type { PartReader } from '@mediagate/settings';
import { keyDestinationFaults } from './key-destination';

const reader = {
  channel: ({ base_url: url }: JsonObject) => ({ kind: 'open', channel: { baseUrl: url } }),
} as unknown as PartReader;

const HERE = 'https://vendor.example/v1';
const THERE = 'https://other.example/v1';
const WRITTEN = { base_url: HERE, api_key: 'of the file' };

/** Fields that are set, by the milliseconds until they count. */
function stepsOf(set: Record<number, JsonObject>): SettingStep[] {
  return Object.entries(set).flatMap(([inMs, fields]) =>
    Object.entries(fields).map(([field, value]) => {
      const when = { effectiveInMs: Number(inMs), effectiveAt: '', setBy: '', reason: null };
      return { id: '', section: 'channels', name: 'a', field, value, ...when } as SettingStep;
    }),
  );
}

function refuses(fields: JsonObject, set: Record<number, JsonObject> = {}, written: JsonObject | undefined = WRITTEN) {
  return keyDestinationFaults({ channelId: 'a', written, steps: stepsOf(set), wanted: { fields } }, reader).length > 0;
}

const LATER = 3_600_000;
const MOVED = { base_url: THERE, api_key: 'another' };

it.each<[string, boolean, JsonObject, Record<number, JsonObject>]>([
  ['another host for the key of the file', true, { base_url: THERE }, {}],
  ['another host for a key that is set', true, { base_url: THERE }, { 0: { api_key: 'another' } }],
  ['another port', true, { base_url: 'https://vendor.example:8443/v1' }, {}],
  ['another scheme', true, { base_url: 'http://vendor.example/v1' }, {}],
  ['the key of the file for a host that is set', true, { api_key: null }, { 0: MOVED }],
  ['the host of the file for a key that is set', true, { base_url: null }, { 0: MOVED }],
  ['another host before a key that is set for later', true, MOVED, { [LATER]: { api_key: 'a third' } }],
  ['another host with its key', false, MOVED, {}],
  ['another path of the same host', false, { base_url: 'https://vendor.example/v2' }, {}],
  ['another key', false, { api_key: 'another' }, {}],
  ['both given back to the file', false, { base_url: null, api_key: null }, { 0: MOVED }],
  ['what is set already', false, { base_url: THERE }, { 0: MOVED }],
])('judges %s', (_, refused, fields, set) => {
  expect(refuses(fields, set)).toBe(refused);
});
