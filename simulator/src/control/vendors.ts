import { Router } from 'express';
import { FAULTS, type ScenarioName, scenarioNames } from '../faults/table';
import type { Vendor } from '../vendor';
import type { Wire } from '../vendor-call/contract';
import { compileShape } from '../vendor-call/shape';
import { badRequest, readControlBody } from './body';

const checkLimits = compileShape({
  type: 'object',
  required: ['vendor', 'requestsPerMinute'],
  additionalProperties: false,
  properties: {
    vendor: { type: 'string', maxLength: 100 },
    requestsPerMinute: { type: 'integer', minimum: 0, maximum: 1e9 },
  },
});

/** `/limits`: how many starts a minute a vendor takes; `/faults`: what can be asked of it. */
export function vendorRoutes(vendors: readonly Vendor[]): Router {
  const router = Router();
  router.get('/faults', (_request, response) => {
    response.json(listFaults(vendors));
  });
  router.put('/limits', async (request, response) => {
    const shape = checkLimits(await readControlBody(request));
    if (!shape.ok) return badRequest(response, `limits${shape.error.instancePath}: ${shape.error.message ?? 'wrong'}`);
    const vendor = vendors.find(({ wire }) => wire.name === shape.value.vendor);
    if (!vendor) return badRequest(response, `no vendor '${shape.value.vendor}'`);
    vendor.around.rateWindow.limit(shape.value.requestsPerMinute);
    response.json(shape.value);
  });
  return router;
}

/** A fault as tests see it: where it strikes, the kind of its argument, and why a vendor cannot have it. */
interface ListedFault {
  strikes: string;
  argument: string;
  cannot: Record<string, string>;
}

/** `/__sim/faults`: what can be asked for, of whom. */
export function listFaults(vendors: readonly Vendor[]): Record<string, ListedFault> {
  return Object.fromEntries(scenarioNames.map((name) => [name, listed(name, vendors)]));
}

function listed(name: ScenarioName, vendors: readonly Vendor[]): ListedFault {
  const reasons = vendors.flatMap(({ wire }) => {
    const why = whyNot(name, wire);
    return why === undefined ? [] : [[wire.name, why]];
  });
  return { ...FAULTS[name], cannot: Object.fromEntries(reasons) };
}

function whyNot(name: ScenarioName, { words, cannot = {} }: Wire): string | undefined {
  if (cannot[name] !== undefined) return cannot[name];
  const word = wordNamed(name, words);
  return typeof word === 'string' ? word : undefined;
}

function wordNamed(name: ScenarioName, words: Wire['words']) {
  const plain = name.replace(/^check-/, '');
  if (plain === 'throttle-rate') return words['rate-limit'];
  if (plain === 'throttle-concurrency') return words.concurrency;
  return Object.hasOwn(words, plain) ? words[plain as keyof Wire['words']] : undefined;
}
