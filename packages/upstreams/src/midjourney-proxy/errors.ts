import { type Fault, type JsonObject, message } from '@mediagate/contracts';
import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn, rejectedParameter } from '../error-dialect';
import { count, object, present, text } from '../json-guards';

/** Submitted, window opened (or made already), queued: in each case `result` is the task to ask about. */
export const ACCEPTED_CODES: ReadonlySet<number | undefined> = new Set([1, 21, 22]);

const FIELDS = {
  prompt: 'prompt',
  base64Array: 'image_urls',
  base64: 'image_urls',
  image: 'image_urls',
  endImage: 'end_url',
  dimensions: 'dimensions',
  maskBase64: 'mask_url',
  taskId: 'task_id',
  customId: 'custom_id',
  index: 'index',
  motion: 'motion',
  videoType: 'video_type',
  batchSize: 'batch_size',
};

const NOT_FOUND_CODE = 3;
/** The task that is worked on has not ended, or its window was answered. */
const WRONG_STATE = /^(?:关联)?任务状态错误|\bwrong status\b/i;
/** The servers speak Chinese or English. */
const BANNED = /banned|sensitive|moderat|violat|polic(?:y|ies)\b|敏感|违规|违禁/i;

/**
 * `{code, description}`, mostly under HTTP 200; gateways in front of a server also say `{error: {message}}`. 3, 4 and 9 each
 * cover causes that differ in whose fault they are, which only the words tell. Those are looked for where a message
 * begins, because further on it may quote the caller.
 */
export const proxyErrors: ErrorDialect = {
  read: readError,
  rules: [
    // The code beside them is that of any failure.
    { status: 401, fault: 'operator' },
    { status: 403, fault: 'operator' },
    { code: /^24$/, fault: 'content_policy' },
    { code: /^23$/, fault: 'rate_limited' },
    { code: /^[49]$/, message: /^\W*(?:可能包含敏感词|banned|sensitive)/i, fault: 'content_policy' },
    { message: /^(?:quota_not_enough|insufficient|余额不足|.{0,8}额度不足)/i, fault: 'operator' },
    { status: 429, fault: 'rate_limited' },
    { message: /^(?:无可用|实例不|no available|instance (?:is )?(?:not|un))/i, fault: 'not_accepted' },
    { code: /^[49]$/, message: /^(?:.{0,8}队列已满|.{0,8}已达上限|queue is full|too many)/i, fault: 'rate_limited' },
    // A channel whose server takes no images, or makes no videos.
    { code: /^4$/, message: /^(?:禁止上传|视频功能未启用)/, fault: 'operator' },
    { code: /^[34]$/, fault: 'bad_request' },
    { code: /^9$/, fault: 'upstream_fault' },
  ],
  fields: FIELDS,
  own: ['accountFilter', 'notifyHook', 'state'],
};

/** A task has a status, and then says nothing of the question; only without one is the question refused. */
export const proxyQueryErrors: ErrorDialect = {
  ...proxyErrors,
  read: (body) => (text(object(body)['status']) === undefined ? readError(body) : undefined),
};

/** The message that callers of the image tool get where others get `policy`. */
const BANNED_CONTENT = message('banned_prompt');

/** A submission was refused. */
export function submitFault(fault: Fault): Fault {
  return fault.code === 'content_policy' ? { ...fault, message: BANNED_CONTENT } : fault;
}

/** Flags are judged when the work begins. */
const BAD_FLAG = /^\[?invalid (?:parameter|link|request)/i;
const TIMED_OUT = /time[ -]?d?[ -]?out|超时/i;
const UNAVAILABLE = /\b(?:instance|account)s?\b|实例|账号/i;

/** Why a task failed is only text; as it may quote the caller, it is classified here and passed no further. */
export function failure({ failReason }: JsonObject): Fault {
  const words = text(failReason) ?? '';
  if (BANNED.test(words)) {
    return {
      code: 'content_policy',
      message: BANNED_CONTENT,
      detail: 'the task failed: by its reason, for its content',
    };
  }
  if (BAD_FLAG.test(words)) {
    const detail = 'the task failed: by its reason, for a flag of its prompt';
    return { code: 'bad_request', ...rejectedParameter('prompt'), detail };
  }
  if (TIMED_OUT.test(words)) {
    return { code: 'generation_failed', reason: 'timeout', detail: 'the task failed: by its reason, for its time' };
  }
  if (UNAVAILABLE.test(words)) {
    const detail = 'the task failed: by its reason, for want of an account';
    return { code: 'generation_failed', reason: 'no_upstream', detail };
  }
  return { code: 'generation_failed', detail: 'the task failed, by its status' };
}

function readError(body: unknown): VendorError | undefined {
  const { code: figure, description, error } = object(body);
  const code = count(figure);
  const { message, type } = object(error);
  const reported = text(description) ?? text(message);
  if (code === undefined && reported === undefined) return undefined;
  if (code !== undefined && ACCEPTED_CODES.has(code)) return undefined;
  const isOfParent = code === NOT_FOUND_CODE || WRONG_STATE.test(reported ?? '');
  const param = fieldNamedIn(reported, FIELDS) ?? (isOfParent ? 'taskId' : undefined);
  return present<VendorError>({ code: code?.toString(), type: text(type), message: reported, param });
}
