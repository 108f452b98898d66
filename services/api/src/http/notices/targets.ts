import { judgeUrl, readUrl, type WebhookPolicy } from '@mediagate/callbacks';
import {
  GatewayError,
  isEmailAddress,
  message,
  NOTICE_MEDIA,
  type NoticeKind,
  type NoticeMedium,
} from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { LANGUAGES } from '@mediagate/languages';
import {
  addTarget,
  describeTarget,
  isTestedOften,
  listTargets,
  MAX_NOTICE_TARGETS,
  type NewTarget,
  OPERATORS,
  testTarget,
  unreachable,
} from '@mediagate/notices';
import { invalid, unknownId } from '../../use-cases/invalid';
import { requireChanged, sendData } from '../answers/answer-change';
import { answerLanguage } from '../answers/answer-language';
import { type Exchange, sendJson } from '../exchange';
import type { BodyFields } from '../fields/body-fields';
import type { Audience, NoticeHandler } from './audience';

interface TargetId {
  id: string;
  owner: string;
}

const ADDRESS = { maxCharacters: 2048 };
const TEST_PAUSE_SECONDS = 10;
const DAY_PAUSE_SECONDS = 3600;

/** GET /v1/notices/targets and GET /admin/v1/notices/targets */
export function listNoticeTargets<Asked extends Exchange>({ ownerOf }: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const targets = await listTargets(database, ownerOf(call));
    sendJson(call.response, 200, { code: 200, data: targets.map(describeTarget) });
  };
}

/** POST /v1/notices/targets and POST /admin/v1/notices/targets */
export function createNoticeTarget<Asked extends Exchange>(audience: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database, callbacks }) => {
    const owner = audience.ownerOf(call);
    const { fields, end } = await audience.read(call);
    const medium = fields.required('medium', fields.oneOf('medium', NOTICE_MEDIA)) ?? 'webhook';
    const target = {
      owner,
      medium,
      address: readAddress(fields, medium, owner === OPERATORS ? undefined : callbacks.rules().policy),
      kinds: readKinds(fields, audience.kinds) ?? [],
      language: fields.oneOf('language', LANGUAGES) ?? answerLanguage(call.response),
    };
    const lost = await unreachable(database, target);
    if (lost) fields.refuse('invalid_parameter', lost.field, 'about_field', { problem: lost.problem });
    const outcome = await addTarget(database, target, end());
    const { subject } = await requireChanged(call.response, outcome, {
      unchanged: () => whyNotAdded(database, target),
    });
    const made = (await listTargets(database, owner)).find(({ id }) => id === subject);
    if (!made) throw unknownId();
    if (outcome.secret !== undefined) call.response.setHeader('Cache-Control', 'no-store');
    const secret = outcome.secret === undefined ? {} : { secret: outcome.secret };
    sendData(call.response, { ...describeTarget(made), ...secret }, 201);
  };
}

/** PATCH /v1/notices/targets/{target_id} and PATCH /admin/v1/notices/targets/{target_id} */
export function updateNoticeTarget<Asked extends Exchange>(audience: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const target = targetOf(call, audience);
    const { fields, end } = await audience.read(call);
    const change = { kinds: readKinds(fields, audience.kinds), language: fields.oneOf('language', LANGUAGES) };
    const outcome = await database.changeNoticeTarget(target, change, end());
    await requireChanged(call.response, outcome, { unchanged: unknownId });
    const changed = (await listTargets(database, target.owner)).find(({ id }) => id === target.id);
    if (!changed) throw unknownId();
    sendData(call.response, describeTarget(changed));
  };
}

/** DELETE /v1/notices/targets/{target_id} and POST /admin/v1/notices/targets/{target_id}/remove */
export function removeNoticeTarget<Asked extends Exchange>(audience: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const target = targetOf(call, audience);
    const outcome = await database.removeNoticeTarget(target.id, target.owner, await audience.readBare(call));
    await requireChanged(call.response, outcome, { unchanged: unknownId });
    sendData(call.response, { id: target.id });
  };
}

/** POST /v1/notices/targets/{target_id}/test and POST /admin/v1/notices/targets/{target_id}/test */
export function testNoticeTarget<Asked extends Exchange>(audience: Audience<Asked>): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const target = targetOf(call, audience);
    const outcome = await testTarget(database, target, await audience.readBare(call));
    const find = async () => (await listTargets(database, target.owner)).find(({ id }) => id === target.id);
    await requireChanged(call.response, outcome, {
      async unchanged() {
        if (!(await find())) return unknownId();
        return tooOften((await isTestedOften(database, target.owner)) ? DAY_PAUSE_SECONDS : TEST_PAUSE_SECONDS);
      },
    });
    const tested = await find();
    if (!tested) throw unknownId();
    sendData(call.response, describeTarget(tested), 202);
  };
}

function targetOf<Asked extends Exchange>(call: Asked, { ownerOf }: Audience<Asked>): TargetId {
  return { id: String(call.request.params['target_id']), owner: ownerOf(call) };
}

/** @param policy absent: of operators, whose own settings say where their notices may go. */
function readAddress(fields: BodyFields, medium: NoticeMedium, policy: WebhookPolicy | undefined): string {
  const address = fields.requiredLine('address', ADDRESS);
  if (address === '') return '';
  if (medium === 'email') {
    if (!isEmailAddress(address)) fields.refuse('invalid_parameter', 'address', 'must_be_email');
    return address.toLowerCase();
  }
  const judged = policy === undefined ? readUrl(address) : judgeUrl(address, policy);
  if (!judged.ok) fields.refuse('invalid_parameter', 'address', 'about_field', { problem: judged.problem });
  return address;
}

function readKinds(fields: BodyFields, kinds: readonly NoticeKind[]): readonly NoticeKind[] | undefined {
  const find = (name: string) => kinds.find((kind) => kind === name);
  return fields.list('kinds', find, 'must_be_one_of', { values: kinds.join(', ') });
}

async function whyNotAdded(
  database: Database,
  { owner, medium }: Pick<NewTarget, 'owner' | 'medium'>,
): Promise<GatewayError> {
  const targets = await listTargets(database, owner);
  if (targets.length >= MAX_NOTICE_TARGETS) {
    const about = message('too_many_targets', { limit: MAX_NOTICE_TARGETS });
    return new GatewayError('conflict', about, { reason: 'too_many_targets' });
  }
  if (medium === 'email' && owner !== OPERATORS) return invalid('address', 'must_be_email_of_user');
  return tooOften(DAY_PAUSE_SECONDS);
}

function tooOften(seconds: number): GatewayError {
  return new GatewayError('rate_limited', message('too_many_requests', { seconds }), { retryAfterSeconds: seconds });
}
