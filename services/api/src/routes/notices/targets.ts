import { type Callbacks, judgeUrl, readUrl, type WebhookPolicy } from '@mediagate/callbacks';
import {
  GatewayError,
  isEmailAddress,
  type Message,
  message,
  NOTICE_MEDIA,
  type NoticeKind,
  type NoticeMedium,
} from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, NoticeTargetChange } from '@mediagate/database';
import { LANGUAGES } from '@mediagate/languages';
import {
  type AddedTarget,
  describeTarget,
  type ListedTarget,
  MAX_NOTICE_TARGETS,
  type NewTarget,
  OPERATORS,
} from '@mediagate/notices';
import { answerLanguage } from '../../http/answer-language';
import type { BodyFields } from '../../http/body-fields';
import { type Exchange, sendJson } from '../../http/exchange';
import { invalid } from '../../use-cases/invalid';
import { requireChanged, sendData } from '../admin/change';
import type { Audience } from './audience';

export interface NoticeTargetDeps {
  listNoticeTargets(owner: string): Promise<ListedTarget[]>;
  /** Why nothing ever arrives there, by its field. */
  unreachable(target: NewTarget): Promise<{ field: string; problem: Message } | undefined>;
  addNoticeTarget(target: NewTarget, request: ChangeRequest): Promise<AddedTarget>;
  changeNoticeTarget(target: TargetId & { change: NoticeTargetChange }, request: ChangeRequest): Promise<ChangeOutcome>;
  removeNoticeTarget(target: TargetId, request: ChangeRequest): Promise<ChangeOutcome>;
  testNoticeTarget(target: TargetId, request: ChangeRequest): Promise<ChangeOutcome>;
  isTestedOften(owner: string): Promise<boolean>;
  /** Addresses that holders name must keep to the rules of callbacks. */
  callbacks: Pick<Callbacks, 'rules'>;
}

interface TargetId {
  id: string;
  owner: string;
}

const ADDRESS = { maxCharacters: 2048 };
const TEST_PAUSE_SECONDS = 10;
const DAY_PAUSE_SECONDS = 3600;

/** GET /v1/notices/targets and GET /admin/v1/notices/targets */
export function createListNoticeTargets<Asked extends Exchange>(
  { listNoticeTargets }: NoticeTargetDeps,
  { ownerOf }: Audience<Asked>,
): (call: Asked) => Promise<void> {
  return async (call) => {
    const targets = await listNoticeTargets(ownerOf(call));
    sendJson(call.response, 200, { code: 200, data: targets.map(describeTarget) });
  };
}

/** POST /v1/notices/targets and POST /admin/v1/notices/targets */
export function createCreateNoticeTarget<Asked extends Exchange>(
  deps: NoticeTargetDeps,
  audience: Audience<Asked>,
): (call: Asked) => Promise<void> {
  return async (call) => {
    const owner = audience.ownerOf(call);
    const { fields, end } = await audience.read(call);
    const medium = fields.required('medium', fields.oneOf('medium', NOTICE_MEDIA)) ?? 'webhook';
    const target = {
      owner,
      medium,
      address: readAddress(fields, medium, owner === OPERATORS ? undefined : deps.callbacks.rules().policy),
      kinds: readKinds(fields, audience.kinds) ?? [],
      language: fields.oneOf('language', LANGUAGES) ?? answerLanguage(call.response),
    };
    const lost = await deps.unreachable(target);
    if (lost) fields.refuse('invalid_parameter', lost.field, 'about_field', { problem: lost.problem });
    const outcome = await deps.addNoticeTarget(target, end());
    const { subject } = await requireChanged(call.response, outcome, { unchanged: () => whyNotAdded(target, deps) });
    const made = (await deps.listNoticeTargets(owner)).find(({ id }) => id === subject);
    if (!made) throw unknown();
    if (outcome.secret !== undefined) call.response.setHeader('Cache-Control', 'no-store');
    const secret = outcome.secret === undefined ? {} : { secret: outcome.secret };
    sendData(call.response, { ...describeTarget(made), ...secret }, 201);
  };
}

/** PATCH /v1/notices/targets/{target_id} and PATCH /admin/v1/notices/targets/{target_id} */
export function createUpdateNoticeTarget<Asked extends Exchange>(
  { changeNoticeTarget, listNoticeTargets }: NoticeTargetDeps,
  audience: Audience<Asked>,
): (call: Asked) => Promise<void> {
  return async (call) => {
    const target = targetOf(call, audience);
    const { fields, end } = await audience.read(call);
    const change = { kinds: readKinds(fields, audience.kinds), language: fields.oneOf('language', LANGUAGES) };
    const outcome = await changeNoticeTarget({ ...target, change }, end());
    await requireChanged(call.response, outcome, { unchanged: unknown });
    const changed = (await listNoticeTargets(target.owner)).find(({ id }) => id === target.id);
    if (!changed) throw unknown();
    sendData(call.response, describeTarget(changed));
  };
}

/** DELETE /v1/notices/targets/{target_id} and POST /admin/v1/notices/targets/{target_id}/remove */
export function createRemoveNoticeTarget<Asked extends Exchange>(
  { removeNoticeTarget }: NoticeTargetDeps,
  audience: Audience<Asked>,
): (call: Asked) => Promise<void> {
  return async (call) => {
    const target = targetOf(call, audience);
    const outcome = await removeNoticeTarget(target, await audience.readBare(call));
    await requireChanged(call.response, outcome, { unchanged: unknown });
    sendData(call.response, { id: target.id });
  };
}

/** POST /v1/notices/targets/{target_id}/test and POST /admin/v1/notices/targets/{target_id}/test */
export function createTestNoticeTarget<Asked extends Exchange>(
  { testNoticeTarget, isTestedOften, listNoticeTargets }: NoticeTargetDeps,
  audience: Audience<Asked>,
): (call: Asked) => Promise<void> {
  return async (call) => {
    const target = targetOf(call, audience);
    const outcome = await testNoticeTarget(target, await audience.readBare(call));
    const find = async () => (await listNoticeTargets(target.owner)).find(({ id }) => id === target.id);
    await requireChanged(call.response, outcome, {
      async unchanged() {
        if (!(await find())) return unknown();
        return tooOften((await isTestedOften(target.owner)) ? DAY_PAUSE_SECONDS : TEST_PAUSE_SECONDS);
      },
    });
    const tested = await find();
    if (!tested) throw unknown();
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
  { owner, medium }: Pick<NewTarget, 'owner' | 'medium'>,
  { listNoticeTargets }: NoticeTargetDeps,
): Promise<GatewayError> {
  const targets = await listNoticeTargets(owner);
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

function unknown(): GatewayError {
  return new GatewayError('not_found', message('nothing_of_that_id'));
}
