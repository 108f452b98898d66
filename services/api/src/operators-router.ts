import { listOperations, type OperatorOperationId, type ServedOperation } from '@mediagate/api-contract';
import { Pace } from '@mediagate/concurrency';
import type { Logger } from '@mediagate/host';
import type { Express } from 'express';
import { Registry } from 'prom-client';
import { bindOperatorRoute } from './http/bind-routes';
import { ByteShares } from './http/body/byte-shares';
import type { AdmittedOperator } from './http/exchange';
import { mountRoutes } from './http/mount-routes';
import { newExpress } from './http/new-express';
import { createRequestScopes } from './http/request-scope';
import { createServe, type ServeDeps } from './http/serve';
import { OPERATOR_HANDLERS } from './operator-handlers';
import type { Operators } from './operators';
import { BODIES_IN_MEMORY, REFERENCE_PER_ADDRESS, REFUSALS } from './request-limits';
import { createMarginSlots } from './use-cases/margin-report';

export type { OperatorOperationId } from '@mediagate/api-contract';

/** The context of the routes, without what each process has for itself. */
export type RouterContext = Omit<Operators, 'marginSlots' | 'listSettings' | 'links' | 'origins'>;

/** An operation that the router serves. */
export type OperatorRequest = ServedOperation & { auth: 'operator'; entry: OperatorOperationId };

/** Only a service says its own settings, and looks at files in processes that it keeps for that. */
const SERVICE_ALONE: ReadonlySet<string> = new Set(['adminListSettings', 'adminVerifyFile']);

/** The operations of operators but those. */
export function listOperatorOperations(): OperatorRequest[] {
  return listOperations([], { legacyPrefix: 'legacy' }).filter(isServed);
}

function isServed(operation: ServedOperation): operation is OperatorRequest {
  return operation.auth === 'operator' && !SERVICE_ALONE.has(operation.entry);
}

/**
 * The routes of operators for the command line, which runs them in its own process and needs no token: whoever has the database is an
 * operator of the highest role already.
 *
 * @param operators the context; a route reads a part of it when it first needs that.
 * @param actor the name of whoever runs the command, for the audit log.
 * @param logger receives the cause of each answer of 500 or above.
 */
export function createOperatorsRouter(operators: RouterContext, actor: string, logger: Logger): Express {
  const scopes = createRequestScopes({ logger, metrics: new Registry() });
  const admitted: AdmittedOperator = { id: actor, name: actor, role: 'admin', actor };
  const app = newExpress(scopes);
  const serve = createServe({
    ...WITHOUT_CALLERS,
    ...limits(),
    authenticateOperator: async () => admitted,
    scopes,
    logger,
  });
  const context = Object.create(operators, { marginSlots: { value: createMarginSlots() } }) as Operators;
  const options = { handlers: OPERATOR_HANDLERS, operators: context };
  const routes = listOperatorOperations().map((operation) => bindOperatorRoute(operation, options));
  mountRoutes(app, routes, serve);
  return app;
}

/** The limits of one process's requests: a command makes one after the other. */
function limits(): Pick<ServeDeps, 'memory' | 'refusals' | 'addresses' | 'rateLimit' | 'bodyPace'> {
  return {
    memory: new ByteShares(BODIES_IN_MEMORY),
    refusals: { pace: new Pace(REFUSALS), waitMaxMs: REFUSALS.waitMaxMs },
    addresses: new Pace(REFERENCE_PER_ADDRESS),
    rateLimit: () => undefined,
    bodyPace: { periodMs: 60_000 },
  };
}

const WITHOUT_CALLERS: Pick<ServeDeps, 'authenticator' | 'models' | 'callerFiles' | 'recordRequest'> = {
  authenticator: { authenticate: noCaller, forget: noCaller },
  models: noCaller,
  callerFiles: {
    disk: new ByteShares(BODIES_IN_MEMORY),
    makeFolder: noCaller,
    health: { require: noCaller, use: noCaller },
  },
  recordRequest: () => undefined,
};

function noCaller(): never {
  throw new Error('callers have no route here, and operators send no files');
}
