import type { Probe } from '../contract';
import type { HttpClient } from '../http-client';
import { decimal, list, object } from '../json-guards';
import { createProbe } from '../probe';
import { klingKey } from './authorization';
import { klingErrors } from './errors';

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/**
 * The resource packs of the account and what is left of those in effect, half a day behind: free, once a second at most
 * (docs.klingai2.org, account information inquiry, November 2026).
 */
export function createKlingProbe(http: HttpClient): Probe {
  return createProbe(http, {
    path: () => `/account/costs?start_time=${Date.now() - YEAR_MS}&end_time=${Date.now()}`,
    credentials: klingKey,
    dialect: klingErrors,
    read(body) {
      const packs = list(object(body['data'])['resource_pack_subscribe_infos'])?.map(object);
      if (packs === undefined) return {};
      const inEffect = packs.filter(({ status }) => status === 'online');
      return { balance: String(inEffect.reduce((sum, pack) => sum + (decimal(pack['remaining_quantity']) ?? 0), 0)) };
    },
  });
}
