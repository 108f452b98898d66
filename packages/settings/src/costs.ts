import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { type BillingKeys, type PriceFault, readPrice, readPrices, type Texts, wordPriceFault } from './prices';
import type { ChannelCosts } from './settings';

/** The charges of each channel's vendor, in the order of the channels; undefined: the file does not say. */
export function readCosts(
  channels: Json | undefined,
  billingKeys: BillingKeys,
  texts: Texts,
): (ChannelCosts | undefined)[] {
  return (Array.isArray(channels) ? channels : []).map((channel, index) =>
    readChannelCosts(isJsonObject(channel) ? channel : {}, { field: `channels[${index}]`, billingKeys, texts }),
  );
}

interface CostsOf {
  field: string;
  billingKeys: BillingKeys;
  texts: Texts;
}

function readChannelCosts(
  { models, costs, credit_cost: creditCost }: JsonObject,
  { field, billingKeys, texts }: CostsOf,
): ChannelCosts | undefined {
  if (costs === undefined && creditCost === undefined) return undefined;
  const { numberText, faults } = texts;
  const add = (fault: PriceFault) => faults.add(fault.field, wordPriceFault(fault));
  const served = new Set(Object.keys(isJsonObject(models) ? models : {}));
  const ofModels = new Map([...billingKeys].filter(([key]) => served.has(modelOf(key))));
  const section = `${field}.costs`;
  const read = readPrices(costs, { section, billingKeys: ofModels, ...texts });
  for (const [key, price] of read) {
    const missing = 'units' in price ? [...(ofModels.get(key) ?? [])].filter((unit) => !price.units.has(unit)) : [];
    if (missing.length > 0) faults.add(`${section}.${key}`, incomplete(missing));
  }
  const creditNano = creditCost === undefined ? undefined : readPrice(`${field}.credit_cost`, { numberText, add });
  return { prices: read, creditNano };
}

/** A billing key is a model, or `model@what`. */
function modelOf(billingKey: string): string {
  return billingKey.split('@')[0] ?? billingKey;
}

/** A cost of some units alone would pass for the whole. */
function incomplete(missing: string[]): string {
  return `must price every unit, 0 for what the vendor does not charge for: ${missing.sort().join(', ')} is missing`;
}
