import { Router } from 'express';
import type { AssetStore } from '../assets/asset-store';
import type { CallbackReceiver } from '../callback-receiver/callback-receiver';
import type { VirtualClock } from '../clock';
import type { FaultChooser } from '../faults/chooser';
import { compileRules } from '../faults/rules';
import type { JobStore } from '../jobs/job-store';
import type { Journal, JournalEntry } from '../journal/journal';
import { hangUpSignal } from '../streaming';
import type { Vendor } from '../vendor';
import type { OpenCalls } from '../vendor-call/open-calls';
import { compileShape } from '../vendor-call/shape';
import { badRequest, readControlBody, readWait, wholeNumber } from './body';
import { listTasks } from './tasks';
import { vendorRoutes } from './vendors';

interface ControlledParts {
  clock: VirtualClock;
  journal: Journal;
  chooser: FaultChooser;
  assets: AssetStore;
  receiver: CallbackReceiver;
  vendors: Vendor[];
  resetLimits(): void;
  stores: JobStore<unknown>[];
  openCalls: OpenCalls;
  closing: AbortSignal;
}

const text = { type: 'string', minLength: 1, maxLength: 500 } as const;

const checkRules = compileShape({
  type: 'object',
  required: ['rules'],
  additionalProperties: false,
  properties: {
    rules: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['scenario'],
        additionalProperties: false,
        properties: {
          id: text,
          scenario: text,
          per: { enum: ['job', 'rule'] },
          match: {
            type: 'object',
            additionalProperties: false,
            properties: { wire: text, path: text, prompt: text },
          },
        },
      },
    },
  },
});

/** About 31 years: enough for any expiry, and still a date. */
const MAX_ADVANCE_MS = 1e12;

const checkClock = compileShape({
  type: 'object',
  required: ['advanceMs'],
  additionalProperties: false,
  properties: { advanceMs: { type: 'integer', minimum: 0, maximum: MAX_ADVANCE_MS } },
});

/** `/__sim`: what a test may see and set. */
export function controlRoutes(parts: ControlledParts): Router {
  const { clock, journal, chooser, assets, receiver, vendors, resetLimits, stores, closing } = parts;
  const router = Router();

  router.get('/health', (_request, response) => {
    response.json({ status: 'ok', now: clock.now() });
  });

  router.get('/journal', async (request, response) => {
    const { atLeast, timeoutMs } = readWait(request);
    const wanted = () => journal.entries(request.query['accepted'] === 'true');
    // An entry counts from when its body was read, so that a reader who waited sees what was asked.
    const enough = () => wanted().filter(isReadEntry).length >= atLeast;
    await journal.changes.until(enough, timeoutMs, hangUpSignal(response, closing));
    response.json({ entries: wanted() });
  });

  router.get('/tasks', (request, response) => {
    response.json(listTasks(request, stores));
  });
  router.use('/open', openRoutes(parts.openCalls, closing));
  router.use(vendorRoutes(vendors));

  router.put('/rules', async (request, response) => {
    const shape = checkRules(await readControlBody(request));
    if (!shape.ok) return badRequest(response, `rules${shape.error.instancePath}: ${shape.error.message ?? 'wrong'}`);
    const invalid = shape.value.rules.find(({ match }) => match?.prompt !== undefined && !isPattern(match.prompt));
    if (invalid) return badRequest(response, `not a regular expression: ${invalid.match?.prompt}`);
    const { rules, mistakes } = compileRules(shape.value.rules);
    if (mistakes.length > 0) return badRequest(response, mistakes.join('; '));
    chooser.setRules(rules);
    response.json({ rules: shape.value.rules.map((rule, index) => ({ ...rule, id: rules[index]?.id })) });
  });

  router.post('/clock', async (request, response) => {
    const shape = checkClock(await readControlBody(request));
    if (!shape.ok) return badRequest(response, `clock${shape.error.instancePath}: ${shape.error.message ?? 'wrong'}`);
    clock.advance(shape.value.advanceMs);
    response.json({ now: clock.now() });
  });

  router.post('/reset', (_request, response) => {
    clock.reset();
    journal.reset();
    chooser.reset();
    assets.reset();
    for (const store of stores) store.reset();
    receiver.reset();
    resetLimits();
    response.json({ status: 'ok' });
  });
  return router;
}

function isReadEntry(entry: JournalEntry): boolean {
  return entry.prompt !== null || entry.ending !== 'open';
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) !== undefined;
  } catch {
    return false;
  }
}

/** `GET /?atMost=n&timeoutMs=`: the calls being answered, once there are n or fewer, or when the time is over. */
function openRoutes(calls: OpenCalls, closing: AbortSignal): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    const atMost = wholeNumber(request.query['atMost']) ?? Number.POSITIVE_INFINITY;
    const few = () => calls.all().length <= atMost;
    await calls.changes.until(few, readWait(request).timeoutMs, hangUpSignal(response, closing));
    response.json({ calls: calls.all() });
  });
  return router;
}
