import type { KeyQuery, Page } from '@mediagate/database';
import { describeKey, type KeyPage, type ListedKey } from '@mediagate/identity';
import type { Response } from 'express';
import type { ManagedKey } from '../use-cases/manage-keys';
import { readCursor } from './cursor';
import { sendJson } from './exchange';

/** Sends a key, in answers to operators too, who see more of it. */
export function sendKey(
  response: Response,
  { record, key, replayed }: ManagedKey,
  { status = 200, describe = describeKey } = {},
): void {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  if (key !== undefined) response.setHeader('Cache-Control', 'no-store');
  const data = { ...describe(record), ...(key === undefined ? {} : { key }) };
  sendJson(response, status, { code: status, data });
}

/** A page of keys, as others are. */
export function keyPage({ keys, next }: KeyPage): Page<ListedKey, string> {
  return { rows: keys, next: next && `${next.createdAt.getTime()} ${next.id}` };
}

/** The place that a cursor names; undefined: it is no cursor of that list. */
export function readKeyPlace(list: string, cursor: string): KeyQuery['before'] {
  const [, time, id] = /^(\d{1,15}) ([0-9a-z]{12})$/.exec(readCursor(list, cursor) ?? '') ?? [];
  return time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}
