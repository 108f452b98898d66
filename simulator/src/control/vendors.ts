import { Router } from 'express';
import type { Vendor } from '../vendor';
import { noSuchLimit } from '../vendor-call/account';
import { compileShape } from '../vendor-call/shape';
import { badRequest, readControlBody } from './body';
import { listFaults } from './faults';

const figure = { type: 'integer', minimum: 0, maximum: 1e9 } as const;

const checkLimits = compileShape({
  type: 'object',
  required: ['vendor', 'limits'],
  additionalProperties: false,
  properties: {
    vendor: { type: 'string', maxLength: 100 },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: { requestsPerMinute: figure, concurrentJobs: figure },
    },
  },
});

/** `/limits`: what the account of each vendor may do, limited only in ways for which it has words; `/faults`: what can be asked of it. */
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
    const { limits } = shape.value;
    const why = noSuchLimit(vendor.wire, limits);
    if (why !== undefined) return badRequest(response, `${vendor.wire.name} has no such limit: ${why}`);
    vendor.around.account.limit(limits);
    response.json(vendor.around.account.limits());
  });
  return router;
}
