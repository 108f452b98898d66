import {
  describePrice,
  describePriceOverride,
  listPriceHistory,
  listPrices,
  priceWithoutOverride,
  setPrice,
} from '@mediagate/billing';
import { exactSeconds, type Json } from '@mediagate/contracts';
import { parsePriceOverride, wordPriceFault } from '@mediagate/settings';
import { openConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

export async function list(
  session: Session,
  { model, key: billingKey }: { model?: string; key?: string },
): Promise<Answer> {
  const { settings, catalogue } = openConfiguration(session);
  const { entries } = catalogue;
  if (model !== undefined && !entries.some(({ id }) => id === model)) throw new Refusal(`there is no model ${model}`);
  if (billingKey !== undefined && !catalogue.billingKeys.has(billingKey))
    throw new Refusal(`nothing is billed under ${billingKey}`);
  const database = await session.openDatabase();
  const prices = (await listPrices({ database, entries, file: settings.prices, model, billingKey })).map(describePrice);
  const rows = prices.map(({ key, unit, price, origin, changes_at }) => [
    key,
    unit,
    String(price),
    origin,
    timeText(changes_at),
  ]);
  return { json: { prices }, text: textTable(['KEY', 'UNIT', 'PRICE', 'ORIGIN', 'CHANGES'], rows) };
}

export async function history(
  session: Session,
  { key, before, limit }: { key?: string; before?: bigint; limit: number },
): Promise<Answer> {
  const database = await session.openDatabase();
  const { rows: overrides, next } = await listPriceHistory(database, { billingKey: key ?? null, before, limit });
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  const described = overrides.map(describePriceOverride);
  const rows = described.map(({ key: of, price, effective_at, set_by, reason }) => [
    of,
    price === null ? 'as the file says' : JSON.stringify(price),
    timeText(effective_at),
    set_by,
    reason ?? '',
  ]);
  const json = { overrides: described, next: next === undefined ? null : String(next) };
  return { json, text: textTable(['KEY', 'PRICE', 'FROM', 'SET BY', 'REASON'], rows) };
}

export async function set(
  session: Session,
  billingKey: string,
  { value, from: effectiveAt, reason }: { value: Json; from?: Date; reason?: string },
): Promise<Answer> {
  const { catalogue, settings } = openConfiguration(session);
  const parsed = value === null ? { override: null } : parsePriceOverride(billingKey, value, catalogue.billingKeys);
  if (!catalogue.billingKeys.has(billingKey)) throw new Refusal(`nothing is billed under ${billingKey}`);
  if ('faults' in parsed)
    throw new Refusal(parsed.faults.map((fault) => `${fault.field}: ${wordPriceFault(fault)}`).join('\n'));
  const database = await session.openDatabase();
  const withoutOverride = priceWithoutOverride(billingKey, { entries: catalogue.entries, file: settings.prices });
  const wanted = { billingKey, price: parsed.override, effectiveAt, withoutOverride };
  const outcome = await setPrice(database, wanted, changeBy(session, reason));
  const { after } = await requireChanged(
    outcome,
    () => 'a price must be set at least 10 seconds before it takes effect',
  );
  const from = exactSeconds(String(after['effective_at']));
  return {
    json: { key: billingKey, price: value, effective_at: from },
    text: `${billingKey} has ${value === null ? 'the price of the file' : 'that price'} from ${timeText(from)}`,
  };
}
