import {
  describePrice,
  describePriceOverride,
  listPriceHistory,
  listPrices,
  PRICE_LEAD_MS,
  priceWithoutOverride,
  readPriceOverride,
  setPrice,
} from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import { type Failure, failureOf, type JsonObject, nanoToNumber } from '@mediagate/contracts';
import { type PriceFault, type PriceOverride, parsePriceOverride } from '@mediagate/settings';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { sendJson } from '../../http/exchange';
import type { BodyFields } from '../../http/fields/body-fields';
import { readNumberedPageQuery, sendPage } from '../../http/fields/page';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';
import { invalid } from '../../use-cases/invalid';
import { readChange } from './change';
import { readMoment } from './moment';

const LIST = 'prices';
/** Given in place of a price: the price of the configuration file counts again. */
const AS_FILE = 'file';
const KEY = { maxCharacters: 200 };
const MAX_DECIMALS = 9;
/** Price of one unit, in currency units: the price of a task at this rate must fit into its column. */
const MAX_PRICE_UNITS = 1_000_000;

/** GET /admin/v1/prices */
export const adminListPrices: OperatorHandler = async ({ request, response }, { database, catalogue, filePrices }) => {
  const query = new Query(request);
  const wanted = { model: query.text('model'), billingKey: query.text('key') };
  query.end();
  const prices = await listPrices({ database, entries: catalogue.entries, file: filePrices(), ...wanted });
  sendJson(response, 200, { code: 200, data: prices.map(describePrice) });
};

/** GET /admin/v1/prices/history: the newest first. */
export const adminListPriceOverrides: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, before } = readNumberedPageQuery(request, LIST);
  const billingKey = query.text('key') ?? null;
  query.end();
  sendPage(response, LIST, await listPriceHistory(database, { billingKey, before, limit }), describePriceOverride);
};

/** POST /admin/v1/prices */
export const adminSetPrice: OperatorHandler = async (call, { database, catalogue, filePrices }) => {
  const { fields, end } = await readChange(call);
  const billingKey = fields.requiredLine('key', KEY);
  const price = readPrice(fields, billingKey, catalogue.billingKeys);
  const effectiveAt = readMoment(fields);
  const request = end();
  const withoutOverride = priceWithoutOverride(billingKey, { entries: catalogue.entries, file: filePrices() });
  const wanted = { billingKey, price: price ?? null, effectiveAt, withoutOverride };
  const outcome = await setPrice(database, wanted, request);
  const { after } = await requireChanged(call.response, outcome, {
    unchanged: () => invalid('effective_at', 'must_be_seconds_ahead', { seconds: PRICE_LEAD_MS / 1000 }),
  });
  const override = await readPriceOverride(database, BigInt(String(after['id'])));
  sendData(call.response, describePriceOverride(override) as JsonObject, 201);
};

/** Null: the file's. */
function readPrice(
  fields: BodyFields,
  billingKey: string,
  billingKeys: Catalogue['billingKeys'],
): PriceOverride | null | undefined {
  const given = fields.json('price');
  if (billingKey !== '' && !billingKeys.has(billingKey)) {
    fields.refuse('invalid_parameter', 'key', 'billing_key_unknown', { path: 'GET /admin/v1/prices' });
    return undefined;
  }
  if (given === undefined || given === null) {
    fields.refuse('missing_parameter', 'price', 'required');
    return undefined;
  }
  if (given === AS_FILE || billingKey === '') return null;
  const parsed = parsePriceOverride(billingKey, given, billingKeys);
  if ('override' in parsed) return withinLimit(fields, parsed.override);
  fields.add(...parsed.faults.map(describeFault));
  return undefined;
}

function withinLimit(fields: BodyFields, override: PriceOverride): PriceOverride {
  const prices = 'perTask' in override ? [override.perTask] : [...override.units.values()];
  if (prices.some((nano) => nanoToNumber(nano) > MAX_PRICE_UNITS))
    fields.refuse('invalid_parameter', 'price', 'must_be_at_most', { limit: MAX_PRICE_UNITS });
  return override;
}

function describeFault(fault: PriceFault): Failure {
  const { kind, field } = fault;
  switch (kind) {
    case 'unknown_key':
      return failureOf('invalid_parameter', field, ['billing_key_unknown', { path: 'GET /admin/v1/prices' }]);
    case 'not_a_price':
      return failureOf('invalid_parameter', field, ['must_be_price', { limit: MAX_DECIMALS }]);
    case 'no_unit':
      return failureOf('invalid_parameter', field, ['must_price_units', { values: fault.units }]);
    case 'unknown_unit':
      return failureOf('unsupported_parameter', field, ['must_price_units', { values: fault.units, field: 'price' }]);
    default:
      return kind satisfies never;
  }
}
