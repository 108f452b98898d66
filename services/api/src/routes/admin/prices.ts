import { describePrice, describePriceOverride, type ListedPrice, type PriceHistoryPage } from '@mediagate/billing';
import type { Json, JsonObject } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, ListedPriceOverride } from '@mediagate/database';
import type { PriceOverride } from '@mediagate/settings';
import type { BodyFields } from '../../http/body-fields';
import { makeCursor, readCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { invalid } from '../../use-cases/invalid';
import { readChange, requireChanged, sendData } from './change';

export interface PriceDeps {
  listPrices(model: string | undefined): Promise<ListedPrice[]>;
  listPriceHistory(page: {
    billingKey: string | null;
    before: bigint | undefined;
    limit: number;
  }): Promise<PriceHistoryPage>;
  /** As in the file; undefined: nothing is billed under the key, or it has no such price. */
  parsePrice(billingKey: string, price: Json): PriceOverride | null | undefined;
  setPrice(
    wanted: { billingKey: string; price: PriceOverride | null; effectiveAt: Date | undefined },
    request: ChangeRequest,
  ): Promise<ChangeOutcome>;
  readPriceOverride(id: bigint): Promise<ListedPriceOverride>;
}

const LIST = 'prices';
/** In place of a price: what the configuration file says. */
const AS_FILE = 'file';
const LIMIT = { min: 1, max: 100, fallback: 20 };
const KEY = { maxCharacters: 200 };
const TIME = { maxCharacters: 40 };
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** GET /admin/v1/prices */
export function createListPrices({ listPrices }: PriceDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const model = query.text('model');
    query.end();
    sendJson(response, 200, { code: 200, data: (await listPrices(model)).map(describePrice) });
  };
}

/** GET /admin/v1/prices/history: the newest first. */
export function createListPriceOverrides({ listPriceHistory }: PriceDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readId);
    const billingKey = query.text('key') ?? null;
    query.end();
    const { overrides, next } = await listPriceHistory({ billingKey, before, limit });
    sendJson(response, 200, {
      code: 200,
      data: overrides.map(describePriceOverride),
      next_cursor: next === undefined ? null : makeCursor(LIST, String(next)),
      has_more: next !== undefined,
    });
  };
}

function readId(cursor: string): bigint | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && /^\d{1,18}$/.test(place) ? BigInt(place) : undefined;
}

/** POST /admin/v1/prices */
export function createSetPrice({ parsePrice, setPrice, readPriceOverride }: PriceDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const billingKey = fields.requiredLine('key', KEY);
    const price = readPrice(fields, billingKey, parsePrice);
    const effectiveAt = readMoment(fields);
    const request = end();
    const outcome = await setPrice({ billingKey, price: price ?? null, effectiveAt }, request);
    const { after } = await requireChanged(call.response, outcome, {
      unchanged: () => invalid('effective_at', 'field_invalid'),
    });
    const override = await readPriceOverride(BigInt(String(after['id'])));
    sendData(call.response, describePriceOverride(override) as JsonObject, 201);
  };
}

function readPrice(fields: BodyFields, billingKey: string, parsePrice: PriceDeps['parsePrice']) {
  const given = fields.json('price');
  if (given === undefined) return fields.refuse('missing_parameter', 'price', 'required');
  const price = billingKey === '' ? null : parsePrice(billingKey, given === AS_FILE ? null : given);
  return price === undefined ? fields.refuse('invalid_parameter', 'price', 'field_invalid') : price;
}

function readMoment(fields: BodyFields): Date | undefined {
  const text = fields.line('effective_at', TIME);
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (ISO_TIME.test(text) && !Number.isNaN(moment.getTime())) return moment;
  fields.refuse('invalid_parameter', 'effective_at', 'field_invalid');
  return undefined;
}
