import { Router } from 'express';
import type { Vendor } from '../vendor';
import { compileShape } from '../vendor-call/shape';
import { badRequest, readControlBody } from './body';
import { listFaults } from './faults';

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
