import { type AwaitedElsewhere, awaitedProblem, describeSecret, type ShownSecret } from '@mediagate/channels';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readChange, requireChanged, sendData } from './change';

export interface SecretDeps {
  listSecrets(): Promise<ShownSecret[]>;
  /** False: this deployment has no key to seal them under. */
  canSeal: boolean;
  setSecret(secret: { name: string; value: string }, request: ChangeRequest): Promise<ChangeOutcome | AwaitedElsewhere>;
  removeSecret(name: string, request: ChangeRequest): Promise<ChangeOutcome>;
}

const NAME = { maxCharacters: 64 };
const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]*$/;
const VALUE = { maxCharacters: 65_536 };

const notFound = () => new GatewayError('not_found', message('nothing_of_that_id'));

/** GET /admin/v1/secrets */
export function createListSecrets({ listSecrets }: SecretDeps): OperatorHandler {
  return async ({ request, response }) => {
    new Query(request).end();
    sendJson(response, 200, { code: 200, data: (await listSecrets()).map(describeSecret) });
  };
}

/** POST /admin/v1/secrets */
export function createSetSecret({ listSecrets, setSecret, canSeal }: SecretDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const name = fields.requiredLine('name', NAME);
    if (name !== '' && !NAME_PATTERN.test(name)) {
      fields.refuse('invalid_parameter', 'name', 'setting_refused', { problem: NAME_PATTERN.source });
    }
    const value = fields.requiredLine('value', VALUE);
    if (!canSeal) fields.refuse('invalid_parameter', 'value', 'setting_refused', { problem: NO_KEY });
    const outcome = await setSecret({ name, value }, end());
    if (outcome.kind === 'awaited_elsewhere') throw refusal(outcome);
    await requireChanged(call.response, outcome, { unchanged: notFound });
    const secret = (await listSecrets()).find((each) => each.name === name);
    if (!secret) throw notFound();
    sendData(call.response, describeSecret(secret) as JsonObject);
  };
}

function refusal(awaited: AwaitedElsewhere): GatewayError {
  const about = message('setting_refused', { field: 'value', problem: awaitedProblem(awaited) });
  return new GatewayError('conflict', about, { reason: 'wrong_state' });
}

const NO_KEY = 'MEDIAGATE_SEALING_SECRET is not set';

/** POST /admin/v1/secrets/{name}/remove */
export function createRemoveSecret({ removeSecret }: SecretDeps): OperatorHandler {
  return async (call) => {
    const name = String(call.request.params['name']);
    const { end } = await readChange(call);
    await requireChanged(call.response, await removeSecret(name, end()), { unchanged: notFound });
    sendData(call.response, { name, removed: true });
  };
}
